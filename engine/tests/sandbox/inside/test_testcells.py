"""Ask whether a test means what it meant before student code ran, whatever that has changed.

Each test fails with what the notebook defines, and so it must after the attack.
"""

import struct

import msgspec
import pytest

from referee import model
from referee.model import Cell, CellFailure, CellRun, Limits, Verdict
from referee.sandbox.outside.server import Server
from referee.sandbox.outside.submission import Submission
from referee.sandbox.wire import messages

IMPORTS = """\
import builtins
import math
import random
import string
import unittest
from collections import Counter
from fractions import Fraction
import numpy as np
import numpy.testing
import shapes"""
SHAPES = b"""\
sides = 0
class Point:
    x = 1
def scaled(by=1):
    return by
"""
GIVEN = f"{IMPORTS}\nfrom types import *\nf = lambda n: 0\ndef nothing(*_, **__): return None\n"
PLAIN = "assert f(4) == 4"
EQUAL = "unittest.TestCase().assertEqual(f(4), 4)"
CLOSE = "np.testing.assert_allclose(f(4), 4)"
IMPORTED = "from numpy.testing import assert_allclose\nassert_allclose(f(4), 4)"
COUNTED = "assert Counter(a=f(4)) == Counter(a=4)"
DRAWN = "for _ in range(9):\n    n = random.randint(1, 9)\n    assert f(n) == n"
FINDER = """\
import sys, importlib.abc, importlib.machinery
class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, *_):
        return importlib.machinery.ModuleSpec(name, self) if name == "numpy.testing" else None
    def create_module(self, spec):
        return SimpleNamespace(assert_allclose=nothing)
    def exec_module(self, module):
        pass
sys.meta_path.insert(0, Finder())
del sys.modules["numpy.testing"]"""
ATTACKS = {
    "tools": (PLAIN, "import marshal\nmarshal.loads = lambda _: []\nbuiltins.eval = nothing"),
    "code": (EQUAL, "unittest.TestCase.assertEqual.__code__ = nothing.__code__"),
    "defaults": (CLOSE, "np.testing.assert_allclose.__defaults__ = 9e9, 9e9, True, '', True"),
    "method": (COUNTED, "Counter.__eq__ = lambda *_: True"),
    "new-method": (
        EQUAL,
        "class Easy:\n    assertEqual = nothing\n"
        "unittest.TestCase.__new__ = staticmethod(lambda *_: Easy())",
    ),
    "bases": (
        COUNTED,
        "class Yes(dict):\n    def __eq__(self, other):\n        return True\n"
        "del Counter.__eq__\nCounter.__bases__ = (Yes,)",
    ),
    "constant": ("for c in string.digits:\n    assert f(c) == c", "string.digits = ''"),
    "object-behind": (DRAWN, "random._inst.randrange = lambda *_: 0"),
    "closure": (
        "with np.printoptions(precision=3):\n    assert f(4) == 4",
        "def calm(**_):\n    try:\n        yield\n    except AssertionError:\n        pass\n"
        "np.printoptions.__closure__[0].cell_contents = calm",
    ),
    "module": (
        IMPORTED,
        "import sys\nsys.modules['numpy.testing'] = SimpleNamespace(assert_allclose=nothing)",
    ),
    "finder": (IMPORTED, FINDER),
    "module-class": (
        "assert math.isclose(f(4), 4)",
        "class Mild(ModuleType):\n    isclose = property(lambda _: lambda *_: True)\n"
        "math.__class__ = Mild",
    ),
    "module-inside": (CLOSE, "np.testing._private.utils.np = SimpleNamespace(all=lambda _: True)"),
    "own-builtins": (
        "from math import isclose\nassert isclose(f(4), 4)",
        "__builtins__ = vars(builtins) | {'__import__': lambda *_: "
        "SimpleNamespace(isclose=lambda *_: True)}",
    ),
    "names": (
        "assert abs(f(4)) == 4",
        "class Names(dict):\n    def __getitem__(self, name):\n"
        "        return (lambda _: 4) if name.endswith('abs') else dict.__getitem__(self, name)\n"
        "get_ipython().user_ns = Names(get_ipython().user_ns)",
    ),
    "comparing": (
        "assert abs(f(4)) == 4",
        "builtins.abs = lambda _: 4\nbuiltins.all = lambda _: True\nbuiltins.map = nothing",
    ),
}


TOKEN = "0" * 32
FORGED = {
    "another-token": messages.Value(msgspec.msgpack.encode((TOKEN, 1.0, None))),
    "no-token": messages.Value(msgspec.msgpack.encode(1.0)),
    "no-bytes": messages.Value(["list", [TOKEN, 1.0, None]]),
    "no-value": messages.Ran([], None),
}
SENDING = """\
import os, stat
def f(n):
    for number in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                os.write(number, {!r})
        except OSError:
            pass
    os._exit(0)"""


def run_of(server: Server, source: str, attack: str) -> CellRun:
    """Return the result of a test after a cell that the student has written."""
    pinned = ("abs", "builtins", "math", "random", "string", "unittest", "Counter", "np", "missing")
    test = model.CellTest("test_f", source, 1, f"{IMPORTS}\nimport missing", pinned)
    cells = [Cell(GIVEN, "cell 1"), Cell(attack, "cell 2"), Cell("", "cell 3", test)]
    with Submission(server, cells, {"shapes.py": SHAPES}, Limits()) as submission:
        return submission.runs[-1]


@pytest.mark.parametrize("name", ATTACKS)
def test_a_test_fails_whatever_was_done_to_what_it_calls(server: Server, name: str) -> None:
    """Is it lost, and not because it could not be run?"""
    run = run_of(server, *ATTACKS[name])
    assert isinstance(run.result, CellFailure)
    assert "AssertionError" in run.result.kinds


@pytest.mark.parametrize("name", FORGED)
def test_an_answer_that_student_code_sends_itself_counts_nothing(server: Server, name: str) -> None:
    """Is it seen to be forged, since it does not repeat what is new each time?"""
    body = msgspec.msgpack.encode(FORGED[name])
    run = run_of(server, PLAIN, SENDING.format(struct.pack(">I", len(body)) + body))
    assert (run.stopped, run.result) == (Verdict.TAMPERED, None)


def test_what_a_student_changes_in_their_own_work_stays(server: Server) -> None:
    """Do their classes count, files beside the notebook, and what is new in a library?"""
    written = (
        "class Box:\n    def size(self):\n        return 1\n"
        "def far(self, n=1):\n    return n\n"
        "Box.size, far.__defaults__ = far, (4,)\n"
        "Counter.sizes, f = far, lambda n: n\nimport sys\nsys.path.append('here')\n"
        "shapes.sides, shapes.Point.x, shapes.scaled.__defaults__ = 4, 4, (4,)\n"
        "shapes.Point.__add__ = lambda self, other: self.x\n"
    )
    asked = (
        "assert Box().size() == Counter().sizes() == f(4) == 4\nassert sys.path[-1] == 'here'\n"
        "assert shapes.sides == shapes.scaled() == shapes.Point() + 1 == 4"
    )
    assert run_of(server, asked, written).result == 1


def test_nobody_registers_beforehand_to_watch_a_test(server: Server) -> None:
    """Is a callback of `sys.monitoring`, which would stay, refused when a cell registers it?"""
    watch = "import sys\nf = 4\nsys.audit('sys.monitoring.register_callback', print)\nf = 5"
    assert run_of(server, "assert f == 4", watch).result == 1


def test_a_test_that_is_not_to_be_run_is_a_failure_of_the_test(server: Server) -> None:
    """Is one that is no Python told with its line, and a module that is not there as it stands in
    the test, with nothing of our names, unless a cell gives the name?
    """
    broken = run_of(server, "assert f(0) == 0\nassert (", "").result
    assert isinstance(broken, CellFailure)
    assert (broken.kinds[0], broken.line) == ("SyntaxError", 2)
    missing = run_of(server, "missing.f(1)", "").result
    assert isinstance(missing, CellFailure)
    assert missing.message == "name 'missing' is not defined"
    assert run_of(server, "assert missing(1)", "missing = abs").result == 1
