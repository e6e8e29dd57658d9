"""Run the asserts of a test cell where the student's objects are, in a copy that is thrown away.

Trusted source, which is put into the student's process before student code runs, and compiles the
tests then. It remembers what built-ins and libraries were, and restores them before a test; but
student code has run in this process, and code that is written to deceive can still do so.
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

import msgspec
from IPython import get_ipython
from IPython.core.inputtransformer2 import TransformerManager

from referee.model import CellFailure, CellTest
from referee.sandbox.inside.shell import raised

notebook: dict[str, Any] = {}  # the player puts the notebook's names here
WATCHED = ("sys.settrace", "sys.setprofile", "sys.monitoring.register_callback")
all_, len_, map_ = all, len, map  # as they are before student code runs
encode = msgspec.msgpack.Encoder().encode
CHANGES = ("object.__setattr__", "object.__delattr__")
INSIDES = ("__code__", "__defaults__", "__kwdefaults__", "__bases__", "__class__")


class NoNumberError(ValueError):
    """The last value of a test should be points and is an object of the submission."""


class Snapshot:
    """Built-ins and libraries as they are before student code runs."""

    def __init__(self, imports: str) -> None:
        """Run the imports of the released notebook, one a line; remember all modules."""
        self._names: dict[str, Any] = {}
        for line in imports.splitlines():
            with contextlib.suppress(BaseException):  # the cell itself will fail
                exec(line, self._names)  # noqa: S102
        if "numpy.random" in sys.modules:
            sys.modules["numpy.random"].seed(0)  # tests draw, too, and the same each time
        gc.freeze()  # all this stays, so that garbage need not be looked for among it
        self._names = {**vars(builtins), **self._names}
        self._builtins, self._before = vars(builtins), dict(vars(builtins))
        self._table, self._finders = dict(sys.modules), list(sys.meta_path)
        apart = sys, sys.modules["__main__"]  # what these hold changes all the time
        loaded = [m for m in self._table.values() if isinstance(m, ModuleType) and m not in apart]
        here = str(Path.cwd())
        own = [m for m in loaded if str(getattr(m, "__file__", None)).startswith(here)]
        files = {
            module.__name__ for module in own
        }  # beside the notebook: students may change these
        libraries = [module for module in loaded if module not in own]
        values = [value for module in loaded for value in vars(module).values()]
        kinds = {id(v): v for v in values if isinstance(v, type) and v.__module__ not in files}
        bound = {id(v.__self__): v.__self__ for v in values if type(v) is MethodType}
        owners = [v for v in bound.values() if type(getattr(v, "__dict__", None)) is dict]
        places = (*kinds.values(), *libraries, *owners)
        self._places = [(place, vars(place), dict(vars(place))) for place in places]
        self._places += [(module, vars(module), _callables(module)) for module in own]
        self._closures = list(_closures(values))
        self._protected = {id(v) for v in (*places, *map(vars, libraries), globals())}
        self._asyncio: Any = sys.modules.get("asyncio")
        self._shell: Any = get_ipython()
        self._running = False
        sys.addaudithook(self._refuse)
        gc.freeze()  # and nobody comes across what is remembered here

    def compile(self, tests: list[Any]) -> bytes:
        """Return the compiled code of each test by its name, or its error, encoded."""
        return encode({test.name: self._compiled(test) for test in map(_test, tests)})

    def _compiled(self, test: CellTest) -> bytes | CellFailure:
        """Compile a test; its pinned names get a prefix that nobody knows before it runs."""
        pin = f"_{os.urandom(8).hex()}_"
        pins = dict.fromkeys(self._names.keys() & test.pinned, pin)
        try:
            parts = (test.before, "<tests before>"), (test.source, f"<test {test.name}>")
            codes = [_compiled(*part, pins, pin) for part in parts]
            return marshal.dumps([test.name, pin, [*pins], *codes])
        except Exception as error:
            return _failed(error, test.name)

    def _restore(self) -> None:
        """Restore everything that was replaced: built-ins first, which the rest uses."""
        self._builtins.update(self._before)
        sys.modules.update(self._table)
        sys.meta_path[:] = self._finders
        for place, now, before in filter(_is_changed, self._places):
            for name, value in before.items():
                if now.get(name) is not value and _lasts(name, value):
                    setattr(place, name, value)
            for name in [new for new in now if new not in before and _hides(place, new)]:
                delattr(place, name)
        for cell, value in self._closures:
            cell.cell_contents = value
        sys.settrace(None)
        sys.setprofile(None)
        sys.settrace = self._untraced
        self._running = True

    def run(self, code: bytes, token: str) -> bytes:
        """Run the compiled code of a test on the names of the notebook.

        Return the token, the number that the test ended with or None, and how it has failed or
        None, encoded.
        """
        test = ""
        try:
            self._restore()
            self._shell.failure = None
            test, pin, pinned, *parts = marshal.loads(code)
            notebook.update({pin + name: self._names[name] for name in pinned})
            notebook["__builtins__"] = builtins
            for part in parts:
                if awaited := eval(part, notebook):
                    self._asyncio.run(awaited)
            if self._shell.failure is not None:  # in a magic such as %run, which goes on
                raise self._shell.failure
            return encode((token, _points(notebook.get(pin)), None))
        except BaseException as error:
            return encode((token, None, _failed(error, test)))

    def _refuse(self, event: str, args: Any) -> None:
        """Refuse what lets student code steer a test, or change a library's functions inside."""
        if event in WATCHED and self._running:
            raise RuntimeError(f"{event} is not to be used while a test runs")
        if event not in CHANGES or args[1] not in INSIDES or args[2:] == (ModuleType,):
            return
        if id(getattr(args[0], "__globals__", args[0])) in self._protected:
            raise RuntimeError(f"{args[1]} of what a library defines is not to be changed")

    def _untraced(self, function: object) -> None:
        """Stand for `sys.settrace`, by which libraries such as doctest remove a trace function."""
        if function is not None:
            self._refuse("sys.settrace", None)


def _test(values: Any) -> CellTest:
    return msgspec.convert(values, CellTest)


def _failed(error: BaseException, test: str) -> CellFailure:
    """Return the error of a test, and the line of the test."""
    report = raised(error)
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno or 0 for frame in frames if frame.filename == f"<test {test}>"]
    line = (error.lineno or 0) if isinstance(error, SyntaxError) else 0
    return CellFailure(report.kinds, report.message, report.where, lines[0] if lines else line)


def _is_changed(place: tuple[Any, dict[str, Any], dict[str, Any]]) -> bool:
    """Return whether the value in a place was replaced or is new."""
    _, now, before = place
    same = len_(now) == len_(before) and all_(map_(is_, map_(now.get, before), before.values()))
    return not same


def _callables(place: ModuleType) -> dict[str, Any]:
    """Return the callables of a module; its other values may change as it works."""
    return {name: value for name, value in vars(place).items() if callable(value)}


def _lasts(name: str, value: Any) -> bool:
    """Return whether the value of a name in a library should never change."""
    return not name.startswith("_") or callable(value) or hasattr(type(value), "__get__")


def _hides(place: Any, name: str) -> bool:
    """Return whether a new name in a class or an object hides what it inherits."""
    bases = place.__mro__[1:] if isinstance(place, type) else type(place).__mro__
    return name.startswith("__") or any(name in vars(base) for base in bases)


def _closures(values: list[Any]) -> Iterator[tuple[CellType, Any]]:
    """Yield the closure cells of decorated functions among some values, with their contents."""
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

    A magic for the whole cell that only watches it is left out: it would run the test by a shell
    that student code may have changed.
    """
    run = re.sub(r"\A%%(capture|time)\b.*", "pass", source)
    plain = TransformerManager().transform_cell(run)  # type: ignore[no-untyped-call]
    tree = _Pins(pins).visit(ast.parse(plain))
    if tree.body and isinstance(last := tree.body[-1], ast.Expr) and source.rstrip()[-1:] != ";":
        target = ast.copy_location(ast.Name(result, ast.Store()), last)
        tree.body[-1] = ast.copy_location(ast.Assign([target], last.value), last)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    return compile(ast.fix_missing_locations(tree), place, "exec", flags)


def _points(value: Any) -> float | None:
    """Return the points of a test's last value; all points for None, as in nbgrader."""
    if type(value).__module__ == "__main__":
        raise NoNumberError("the test ends with an object of your own, not with points")
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return None
    if not math.isfinite(points := float(value)):
        raise NoNumberError("the test ends with no finite number of points")
    return points
