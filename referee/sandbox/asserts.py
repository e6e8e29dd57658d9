"""Run the asserts of a test cell where the student's objects are, in a copy that is thrown away.

Part of the player. What built-ins and libraries were before student code ran is noted, and put back
first; but student code has run in this process, and one that is made to deceive can still do so.
"""

import ast
import builtins
import contextlib
import math
import numbers
import os
import re
import sys
import traceback
from types import ModuleType
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

from referee.model import Failed, Test
from referee.sandbox.shell import NotebookShell, raised

WHOLE = (
    "referee.",
    "unittest.case",
    "IPython.core.inputtransformer2",
)  # modules whose classes are put back, too
WATCHED = ("sys.settrace", "sys.setprofile", "sys.monitoring.register_callback")


class NoNumberError(ValueError):
    """What a test ends with should be points and is an object of the submission."""


class Pristine:
    """What is there before student code runs."""

    def __init__(self, imports: str) -> None:
        """Import what the released notebook imports, one statement a line, and note everything."""
        self._names: dict[str, Any] = {}
        for line in imports.splitlines():
            with contextlib.suppress(BaseException):  # its cell will say so
                exec(line, self._names)  # noqa: S102
        if "numpy.random" in sys.modules:
            sys.modules["numpy.random"].seed(0)  # tests draw, too, and the same each time
        self._names = {**vars(builtins), **self._names}
        loaded = {name: module for name, module in sys.modules.items() if name != "sys"}
        modules = [(n, m) for n, m in loaded.items() if isinstance(m, ModuleType)]
        self._modules = [(module, _callables(module)) for _, module in modules]
        kinds = (
            kind
            for name, module in modules
            if name.startswith(WHOLE)
            for kind in vars(module).values()
            if isinstance(kind, type) and kind.__module__ == name
        )
        self._kinds = [(kind, _callables(kind)) for kind in kinds]
        self._asyncio: Any = sys.modules.get("asyncio")

    def restore(self) -> None:
        """Put back what was replaced since."""
        for module, before in self._modules:
            vars(module).update(before)
        for kind, before in self._kinds:
            for name, value in before.items():
                if vars(kind).get(name) is not value:
                    setattr(kind, name, value)
        sys.settrace(None)
        sys.setprofile(None)
        sys.settrace = _untraced
        sys.addaudithook(_refuse)

    def run(self, test: Test, shell: NotebookShell) -> float | Failed | None:
        """Run a test among the names of the notebook; return how it failed, or its number."""
        place, names = f"<test {test.name}>", shell.user_ns
        try:
            self.restore()
            shell.failure = None
            pin = f"_{os.urandom(8).hex()}_"
            pinned = [name for name in test.pinned if name in self._names]
            names.update({pin + name: self._names[name] for name in pinned})
            for source, where in (test.before, "<tests before>"), (test.source, place):
                code = _compiled(source, where, dict.fromkeys(pinned, pin), pin)
                if awaited := eval(code, names):
                    self._asyncio.run(awaited)
            if shell.failure is not None:  # in a magic such as %run, which goes on
                raise shell.failure
            return _points(names.get(pin))
        except BaseException as error:
            told = raised(error)
            steps = traceback.extract_tb(error.__traceback__)
            lines = [step.lineno or 0 for step in steps if step.filename == place]
            line = (error.lineno or 0) if isinstance(error, SyntaxError) else 0
            return Failed(told.kinds, told.message, told.where, lines[0] if lines else line)


def _callables(place: Any) -> dict[str, Any]:
    """Return what can be called of a module or class: the rest may be what it keeps in mind."""
    return {name: value for name, value in vars(place).items() if callable(value)}


def _refuse(event: str, _: Any) -> None:
    """Keep student code from steering the test that calls it."""
    if event in WATCHED:
        raise RuntimeError(f"{event} is not to be used while a test runs")


def _untraced(function: object) -> None:
    """Take the place of `sys.settrace`: libraries such as doctest put nothing back with it."""
    if function is not None:
        _refuse("sys.settrace", None)


class _Pins(ast.NodeTransformer):
    """Lets names mean what they did before student code ran."""

    def __init__(self, pins: dict[str, str]) -> None:
        self._pins = pins

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._pins.get(node.id, "") + node.id
        return node


def _compiled(source: str, place: str, pins: dict[str, str], result: str) -> Any:
    """Compile a test; its last expression becomes the `result`, unless a semicolon hides it.

    A magic for the whole cell that only looks on is left out: it would run the test by a shell that
    student code may have changed.
    """
    seen = re.sub(r"\A%%(capture|time)\b.*", "pass", source)
    plain = TransformerManager().transform_cell(seen)  # type: ignore[no-untyped-call]
    tree = _Pins(pins).visit(ast.parse(plain))
    if tree.body and isinstance(last := tree.body[-1], ast.Expr) and source.rstrip()[-1:] != ";":
        target = ast.copy_location(ast.Name(result, ast.Store()), last)
        tree.body[-1] = ast.copy_location(ast.Assign([target], last.value), last)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    return compile(ast.fix_missing_locations(tree), place, "exec", flags)


def _points(value: Any) -> float | None:
    """Return the points that a test's last value stands for; None, as for nbgrader, for all."""
    if type(value).__module__ == "__main__":
        raise NoNumberError("the test ends with an object of your own, not with points")
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return None
    if not math.isfinite(points := float(value)):
        raise NoNumberError("the test ends with no finite number of points")
    return points
