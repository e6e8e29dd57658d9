"""Run the asserts of a test cell where the student's objects are, in a copy that is thrown away.

The referee compiles a test. The rest is trusted source that is put into the student's process
before student code runs: it remembers what built-ins and libraries were, and restores them before
a test; but student code has run in this process, and code that is written to deceive can still do
so.
"""

import ast
import builtins
import contextlib
import functools
import gc
import marshal
import math
import numbers
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
from referee.sandbox.inside.shell import describe_error

notebook: dict[str, Any] = {}  # the player puts the notebook's names here
PIN = "_pinned_"  # before a name that means in a test what it meant before student code ran
WATCHED = ("sys.settrace", "sys.setprofile")  # which a test finds switched off
MONITORED = "sys.monitoring.register_callback"
CHANGES = ("object.__setattr__", "object.__delattr__")
INSIDES = ("__code__", "__defaults__", "__kwdefaults__", "__bases__", "__class__")
encode = msgspec.msgpack.Encoder().encode


class NoNumberError(ValueError):
    """The last value of a test should be points and is an object of the submission."""


@functools.lru_cache(256)
def compile_test(test: CellTest) -> bytes | CellFailure:
    """Return the code of a test, which `Snapshot.run` runs, or its error."""
    try:
        parts = (test.before, "<tests before>"), (test.source, f"<test {test.name}>")
        codes = [_compile(*part, test.pinned) for part in parts]
        return marshal.dumps([test.name, test.pinned, *codes])
    except Exception as error:
        return _failure(error, test.name)


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
        modules = [m for m in self._table.values() if isinstance(m, ModuleType) and m not in apart]
        folder = str(Path.cwd())
        own_modules = [m for m in modules if str(getattr(m, "__file__", None)).startswith(folder)]
        own_names = {module.__name__ for module in own_modules}  # files that students may change
        libraries = [module for module in modules if module not in own_modules]
        values = [value for module in modules for value in vars(module).values()]
        kinds = {id(v): v for v in values if isinstance(v, type) and v.__module__ not in own_names}
        objects = {id(v.__self__): v.__self__ for v in values if type(v) is MethodType}
        owners = [v for v in objects.values() if type(getattr(v, "__dict__", None)) is dict]
        places = (*kinds.values(), *libraries, *owners)
        rules = [(place, _lasts) for place in places] + [
            (module, lambda _, value: callable(value)) for module in own_modules
        ]
        self._places = [(place, vars(place), dict(vars(place)), lasts) for place, lasts in rules]
        self._closures = list(_closures(values))
        self._protected_ids = {id(v) for v in (*places, *map(vars, libraries), globals())}
        self._asyncio: Any = sys.modules.get("asyncio")
        self._shell: Any = get_ipython()
        self._running = False
        sys.addaudithook(self._refuse)
        gc.freeze()  # and nobody comes across what is remembered here

    def _restore(self) -> None:
        """Restore everything that was replaced: built-ins first, which the rest uses."""
        self._builtins.update(self._before)
        sys.modules.update(self._table)
        sys.meta_path[:] = self._finders
        for place, now, before, lasts in self._places:
            if len(now) == len(before) and all(map(is_, map(now.get, before), before.values())):
                continue
            for name, value in before.items():
                if now.get(name) is not value and lasts(name, value):
                    setattr(place, name, value)
            for name in [new for new in now if new not in before and _hides(place, new)]:
                delattr(place, name)
        for cell, value in self._closures:
            cell.cell_contents = value
        sys.settrace(None)
        sys.setprofile(None)
        sys.settrace = self._settrace
        self._running = True

    def run(self, code: bytes, token: str) -> bytes:
        """Run the code of a test on the names of the notebook.

        Return the token, the number that the test ended with or None, and how it has failed or
        None, encoded.
        """
        test = ""
        try:
            self._restore()
            self._shell.failure = None
            test, pinned_names, *parts = marshal.loads(code)
            values = notebook | self._names
            notebook.update({PIN + name: values[name] for name in pinned_names if name in values})
            notebook["__builtins__"], notebook[PIN] = builtins, None
            for part in parts:
                if coroutine := eval(part, notebook):
                    self._asyncio.run(coroutine)
            if self._shell.failure is not None:  # in a magic such as %run, which goes on
                raise self._shell.failure
            return encode((token, _points(notebook[PIN]), None))
        except BaseException as error:
            return encode((token, None, _failure(error, test)))

    def _refuse(self, event: str, args: Any) -> None:
        """Refuse what lets student code steer a test, or change a library's functions inside."""
        if event == MONITORED or (event in WATCHED and self._running):
            raise RuntimeError(f"{event} is not to be used where tests run")
        if event not in CHANGES or args[1] not in INSIDES or args[2:] == (ModuleType,):
            return
        if id(getattr(args[0], "__globals__", args[0])) in self._protected_ids:
            raise RuntimeError(f"{args[1]} of what a library defines is not to be changed")

    def _settrace(self, function: object) -> None:
        """Stand for `sys.settrace`, by which libraries such as doctest remove a trace function."""
        if function is not None:
            self._refuse("sys.settrace", None)


def _failure(error: BaseException, test: str) -> CellFailure:
    """Return the error of a test, and the line of the test."""
    report = describe_error(error)
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno or 0 for frame in frames if frame.filename == f"<test {test}>"]
    line = (error.lineno or 0) if isinstance(error, SyntaxError) else 0
    message = report.message.replace(PIN, "")
    return CellFailure(report.kinds, message, report.where, lines[0] if lines else line)


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


def _compile(source: str, place: str, pinned_names: tuple[str, ...]) -> Any:
    """Compile a test; its last expression becomes the result, unless a semicolon hides it.

    A magic for the whole cell that only watches it is left out: it would run the test by a shell
    that student code may have changed.
    """
    run = re.sub(r"\A%%(capture|time)\b.*", "pass", source)
    tree = ast.parse(TransformerManager().transform_cell(run))  # type: ignore[no-untyped-call]
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in pinned_names:
            node.id = PIN + node.id
    if tree.body and isinstance(last := tree.body[-1], ast.Expr) and source.rstrip()[-1:] != ";":
        target = ast.copy_location(ast.Name(PIN, ast.Store()), last)
        tree.body[-1] = ast.copy_location(ast.Assign([target], last.value), last)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    return compile(ast.fix_missing_locations(tree), place, "exec", flags, True, optimize=0)


def _points(value: Any) -> float | None:
    """Return the points of a test's last value; all points for None, as in nbgrader."""
    if type(value).__module__ == "__main__":
        raise NoNumberError("the test ends with an object of your own, not with points")
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return None
    if not math.isfinite(points := float(value)):
        raise NoNumberError("the test ends with no finite number of points")
    return points
