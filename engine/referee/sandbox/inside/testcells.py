"""Run the asserts of a test cell where the student's objects are, in a copy that is thrown away.

Part of the player. Tests are compiled before student code runs. What built-ins and libraries were
by then is noted, and put back first; but student code has run in this process, and one that is made
to deceive can still do so.
"""

import ast
import builtins
import contextlib
import gc
import marshal
import math
import numbers
import os
import re
import sys
import traceback
from collections.abc import Iterator
from operator import is_
from pathlib import Path
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

from referee.model import Failed, Test
from referee.sandbox.inside.shell import NotebookShell, raised

WATCHED = ("sys.settrace", "sys.setprofile", "sys.monitoring.register_callback")
all_, len_, map_ = all, len, map  # as they are before student code runs
CHANGES = ("object.__setattr__", "object.__delattr__")
INSIDES = ("__code__", "__defaults__", "__kwdefaults__", "__bases__", "__class__")


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
        gc.freeze()  # what is there stays, and need not be looked through for what is gone
        self._names = {**vars(builtins), **self._names}
        self._builtins, self._before = vars(builtins), dict(vars(builtins))
        self._table, self._finders = dict(sys.modules), list(sys.meta_path)
        apart = sys, sys.modules["__main__"]  # what these hold changes all the time
        loaded = [m for m in self._table.values() if isinstance(m, ModuleType) and m not in apart]
        here = str(Path.cwd())
        ours = [one for one in loaded if str(getattr(one, "__file__", None)).startswith(here)]
        files = {one.__name__ for one in ours}  # beside the notebook: students may change these
        libraries = [one for one in loaded if one not in ours]
        values = [value for one in loaded for value in vars(one).values()]
        kinds = {id(v): v for v in values if isinstance(v, type) and v.__module__ not in files}
        bound = {id(v.__self__): v.__self__ for v in values if type(v) is MethodType}
        owners = [one for one in bound.values() if type(getattr(one, "__dict__", None)) is dict]
        places = (*kinds.values(), *libraries, *owners)
        self._places = [(place, vars(place), dict(vars(place))) for place in places]
        self._places += [(one, vars(one), _callables(one)) for one in ours]
        self._changed = self._places
        self._closures = list(_closures(values))
        self._known = {id(one) for one in (*places, *map(vars, libraries))}
        self._asyncio: Any = sys.modules.get("asyncio")
        self._asking = False
        sys.addaudithook(self._refuse)
        gc.freeze()  # and nobody comes across what is noted here

    def compiled(self, test: Test) -> bytes | Failed:
        """Return what is to be run of a test, or why that cannot be compiled.

        With it goes what nobody knows before: how pinned names begin, and what a result is called.
        """
        pin = f"_{os.urandom(8).hex()}_"
        pins = dict.fromkeys(self._names.keys() & test.pinned, pin)
        try:
            parts = (test.before, "<tests before>"), (test.source, f"<test {test.name}>")
            return marshal.dumps([pin, *(_compiled(*part, pins, pin) for part in parts)])
        except Exception as error:
            return _failed(error, test)

    def look(self) -> None:
        """Note in which places something is another thing now, or new."""
        self._changed = [
            (place, now, before)
            for place, now, before in self._places
            if len_(now) != len_(before)
            or not all_(map_(is_, map_(now.get, before), before.values()))
        ]

    def _restore(self) -> None:
        """Put back what was replaced: built-ins first, which the rest calls."""
        self._builtins.update(self._before)
        sys.modules.update(self._table)
        sys.meta_path[:] = self._finders
        for place, now, before in self._changed:
            for name, value in before.items():
                if now.get(name) is not value and _lasts(name, value):
                    setattr(place, name, value)
            for name in [one for one in now if one not in before and _hides(place, one)]:
                delattr(place, name)
        for cell, value in self._closures:
            cell.cell_contents = value
        sys.settrace(None)
        sys.setprofile(None)
        sys.settrace = self._untraced
        self._asking = True

    def run(
        self, test: Test, code: bytes, shell: NotebookShell, names: dict[str, Any]
    ) -> float | Failed | None:
        """Run what a test was `compiled` to; return how it failed, or the number it ended with.

        The `names` are those of the notebook, in the dictionary that the shell began with.
        """
        try:
            self._restore()
            shell.failure = None
            pin, *parts = marshal.loads(code)
            pinned = self._names.keys() & test.pinned
            names.update({pin + name: self._names[name] for name in pinned})
            names["__builtins__"] = builtins
            for part in parts:
                if awaited := eval(part, names):
                    self._asyncio.run(awaited)
            if shell.failure is not None:  # in a magic such as %run, which goes on
                raise shell.failure
            return _points(names.get(pin))
        except BaseException as error:
            return _failed(error, test)

    def _refuse(self, event: str, args: Any) -> None:
        """Keep student code from steering a test, and what libraries define as it is inside."""
        if event in WATCHED and self._asking:
            raise RuntimeError(f"{event} is not to be used while a test runs")
        if event not in CHANGES or args[1] not in INSIDES or args[2:] == (ModuleType,):
            return
        if id(getattr(args[0], "__globals__", args[0])) in self._known:
            raise RuntimeError(f"{args[1]} of what a library defines is not to be changed")

    def _untraced(self, function: object) -> None:
        """Take the place of `sys.settrace`: libraries such as doctest put nothing back with it."""
        if function is not None:
            self._refuse("sys.settrace", None)


def _failed(error: BaseException, test: Test) -> Failed:
    """Return how a test has failed, and in which of its lines."""
    told = raised(error)
    steps = traceback.extract_tb(error.__traceback__)
    lines = [step.lineno or 0 for step in steps if step.filename == f"<test {test.name}>"]
    line = (error.lineno or 0) if isinstance(error, SyntaxError) else 0
    return Failed(told.kinds, told.message, told.where, lines[0] if lines else line)


def _callables(place: ModuleType) -> dict[str, Any]:
    """Return what can be called of a module: the rest may be what it keeps in mind."""
    return {name: value for name, value in vars(place).items() if callable(value)}


def _lasts(name: str, value: Any) -> bool:
    """Return whether what has a name somewhere keeps it."""
    return not name.startswith("_") or callable(value) or hasattr(type(value), "__get__")


def _hides(place: Any, name: str) -> bool:
    """Return whether a new name in a class or an object takes the place of what it inherits."""
    bases = place.__mro__[1:] if isinstance(place, type) else type(place).__mro__
    return name.startswith("__") or any(name in vars(base) for base in bases)


def _closures(values: list[Any]) -> Iterator[tuple[CellType, Any]]:
    """Yield what decorated functions among some values hold, with where they hold it."""
    for value in values:
        for cell in (
            getattr(value, "__closure__", None) or () if type(value) is FunctionType else ()
        ):
            with contextlib.suppress(ValueError):  # it is empty
                if callable(inner := cell.cell_contents):
                    yield cell, inner


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
