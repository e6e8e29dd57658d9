"""Turn the results of test cells that ran in the student's process into results of checks.

A test without an exception gets all points; if its last value is a number, that many points.
"""

import ast
from collections.abc import Sequence

from referee.intake.testcells import bound, python
from referee.judging import verdicts
from referee.model import NOT_WRITTEN, Cell, CellFailure, CellRun, CellTest, CheckResult, Verdict
from referee.sandbox.outside.student import StudentError, printable

TITLE = "The tests of this cell, run in the student's process"
HIDDEN = "A hidden test of this cell failed."
CHANGING = "it changes a library, whose functions tests may call"
MOST_CHARACTERS = 50_000
ODD = "The tests gave {:g} points of {:g}: your teacher has to look at it."


def results(cells: Sequence[Cell], runs: Sequence[CellRun]) -> dict[str, list[CheckResult]]:
    """Return the results of test cells by cell name; `runs` belong to `cells` in order."""
    return {
        cell.test.name: [_result(cell, cell.test, run)]
        for cell, run in zip(cells, runs, strict=False)
        if cell.test
    }


def changing(cells: Sequence[Cell]) -> set[str]:
    """Return the labels of cells that change a library whose functions tests may call.

    This costs no points: a human decides. Cells of `MOST_CHARACTERS` or more are skipped.
    """
    if not any(cell.test for cell in cells):
        return set()
    short = [cell for cell in cells if len(cell.source) < MOST_CHARACTERS]
    nodes = [(cell.label, node) for cell in short for node in ast.walk(python(cell.source))]
    imports = [node for _, node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    names = bound(ast.Module([*imports], []))
    return {label for label, node in nodes if _changes(node, names)}


def _changes(node: ast.AST, names: set[str]) -> bool:
    """Return whether a node sets or deletes an attribute of one of the imported `names`."""
    match node:
        case ast.Attribute(attr="__code__" | "__defaults__" | "__kwdefaults__" | "cell_contents"):
            return not isinstance(node.ctx, ast.Load)
        case ast.Subscript(ast.Attribute(attr="modules" | "__dict__")):
            return not isinstance(node.ctx, ast.Load)
        case ast.Attribute(root, ctx=ast.Store() | ast.Del()):
            pass
        case ast.Call(ast.Name("setattr" | "delattr"), [root, *_]):
            pass
        case _:
            return False
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id in names


def _result(cell: Cell, test: CellTest, run: CellRun) -> CheckResult:
    points, details = 0.0, ""
    if isinstance(run.result, CellFailure):
        verdict, message = _failure(cell, test, run.result)
        parts = _line(test.source, run.result.line), run.result.message
        details = ": ".join(filter(None, parts))
    elif run.result is None:
        verdict, message = run.stopped or Verdict.NOT_RUN, run.error or ""
    elif not 0 <= run.result <= test.points:
        verdict, message = Verdict.REFEREE_ERROR, ODD.format(run.result, test.points)
    elif run.result < test.points:
        points, verdict = run.result, Verdict.WRONG
        message = f"The tests gave {points:g} of {test.points:g} points."
    else:
        points, verdict, message = run.result, Verdict.PASS, ""
    return CheckResult(
        test.name, test.name, TITLE, verdict, points, test.points, printable(message),
        details=printable(details),
    )  # fmt: skip


def _failure(cell: Cell, test: CellTest, failure: CellFailure) -> tuple[Verdict, str]:
    """Return the verdict on a failed test, and the message for the student.

    Quotes the failed line and its message only if the line is in the released notebook.
    """
    line = _line(test.source, failure.line)
    released = bool(line) and line in map(str.strip, cell.source.splitlines())
    if "AssertionError" not in failure.kinds and (failure.where or line[:6] != "raise "):
        error = StudentError(failure.message, failure.kinds, failure.where)
        verdict, message = verdicts.classify(error)
        if message == NOT_WRITTEN:
            return verdict, message
        return verdict, f"{message}\n  in the test: {line}" if released else f"{HIDDEN} {message}"
    if not released:
        return Verdict.WRONG, HIDDEN
    reason = f"\n{failure.message}" if failure.message else ""
    return Verdict.WRONG, f"This test failed: {line}{reason}"


def _line(source: str, number: int) -> str:
    lines = source.splitlines()
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""
