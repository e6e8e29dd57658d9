"""Write the hidden check that asks from outside what the asserts of a test cell ask inside.

A name that the notebook defines becomes a question to the student's process; what compares stays
here. A cell with a statement that needs that process itself is left as it is: no mark gets weaker.
"""

import ast
import builtins
from pathlib import Path

from referee import intake
from referee.course import Assignment, CourseError
from referee.intake import testcells
from referee.sandbox.outside import proxy

INSIDE = {
    "isinstance", "issubclass", "type", "callable", "hasattr", "getattr", "setattr", "delattr",
    "vars", "dir", "globals", "locals", "eval", "exec", "id", "open", "input", "print",
    "get_ipython", "display",
}  # fmt: skip
BUILTINS = {name for name in dir(builtins) if proxy.is_base(name)}  # exceptions, here as there
LEFT = (
    "nothing was written: these lines can be asked in the student's process only, which can lie; "
    "move them into a test cell of their own, and {} can be hardened"
)
CHECK = '''"""Ask what the asserts of {name} ask: made by `referee adopt --harden`."""

import pytest
{imports}

@pytest.mark.check(cell="{cell}", points=1, hint="")
def test_{function}(student):
    """The tests of {cell}"""
{body}
'''


def hardened(assignment: Assignment, name: str) -> tuple[Path, str]:
    """Return the file of the hidden check for a test cell, and what is to be in it.

    CourseError for a cell that there is not, and for statements that only the student's process can
    run, a line each.
    """
    tests = testcells.tests(assignment)
    if name not in tests:
        names = ", ".join(tests) or "none"
        raise CourseError(f"{assignment.key} has no test cell {name!r} with asserts: {names}")
    test = tests[name]
    function = testcells.short(name).replace("-", "_")
    file = assignment.hidden / f"test_{function}.py"
    if file.exists():
        raise CourseError(f"{file} is there already; delete it to have it written again")
    source = intake.course_notebook(assignment.source)
    student_names = {
        name
        for cell in source.cells
        if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("solution")
        for name in testcells.defined(cell.source)
    }
    local = (testcells.bound(ast.parse(test.imports)) | {*dir(builtins)}) - student_names - INSIDE
    body, problems = [], []
    tree = testcells.python(test.source).body
    for node in tree:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # a docstring
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue  # at the top of the file
        if why := _inside(node, student_names, local, last=node is tree[-1]):
            problems.append(f"line {node.lineno}: {ast.unparse(node).splitlines()[0]}: {why}")
        else:
            local |= testcells.bound(node)
            body.append(ast.unparse(_Questions(student_names).visit(node)))
    if problems:
        raise CourseError(LEFT.format(name), problems)
    uses = {node.id for node in ast.walk(ast.parse("\n".join(body))) if isinstance(node, ast.Name)}
    imports = [
        line for line in test.imports.splitlines() if testcells.bound(ast.parse(line)) & uses
    ]
    lines = [f"    {line}" if line else "" for text in body for line in text.splitlines()]
    text = CHECK.format(
        name=name, cell=testcells.short(name), function=function, body="\n".join(lines),
        imports="".join(f"{line}\n" for line in dict.fromkeys(imports)),
    )  # fmt: skip
    return file, text


def _inside(node: ast.stmt, student_names: set[str], local: set[str], last: bool) -> str:
    """Return why a statement has to be run in the student's process, or ""."""
    names = testcells.bound(node)
    if clash := sorted(names & student_names):
        return f"it changes {clash[0]}, which is the student's"
    if last and isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call):
        return "points for a part are no verdict: write a check for each part"
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in INSIDE - names:
            return f"{part.id} needs the object itself"
        if isinstance(part, ast.Name) and part.id not in local | names | student_names:
            return f"{part.id} is not defined in a solution cell, nor imported in the notebook"
        if isinstance(part, ast.Attribute) and part.attr.startswith("_"):
            return f"{part.attr} is not asked from outside"
        if isinstance(part, ast.ExceptHandler) and part.type is not None:
            kind = ast.unparse(part.type)
            if kind not in BUILTINS:
                return f"use `with pytest.raises({kind})` where a check expects it"
    return ""


class _Questions(ast.NodeTransformer):
    """Turns what the notebook defines into a question: `f(3)` into `student.f(3)`."""

    def __init__(self, names: set[str]) -> None:
        self._names = names

    def visit_Call(self, node: ast.Call) -> ast.AST:
        names = {name.id for name in node.args if isinstance(name, ast.Name)} & self._names
        if names and ast.unparse(node.func) == "pytest.raises":
            node.func = ast.Attribute(ast.Name("student", ast.Load()), "raises", ast.Load())
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._names:
            return node
        return ast.Attribute(ast.Name("student", ast.Load()), node.id, ast.Load())
