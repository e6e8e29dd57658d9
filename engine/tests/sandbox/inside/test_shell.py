"""Ask whether a cell's outputs are those that a notebook would show, and stay within bounds."""

from collections.abc import Callable
from typing import Any

import pytest

from referee import model
from referee.model import Cell, CellRun, Limits, Output
from referee.sandbox.inside.shell import OUTPUT_CHARACTERS
from referee.sandbox.outside.server import SandboxError, Server
from referee.sandbox.outside.submission import Submission

MEBIBYTE = 1024 * 1024  # characters

Submit = Callable[..., Submission]
Run = Callable[..., list[CellRun]]


@pytest.fixture
def run(submit: Submit) -> Run:
    """Give `run(*sources, **limits)`: what became of each cell."""

    def run(*sources: str, **limits: Any) -> list[CellRun]:
        with submit(*sources, **limits) as submission:
            return submission.runs

    return run


def shown(run: CellRun) -> list[tuple[str, str]]:
    """Return kind and text of each output."""
    return [(output.kind, output.text) for output in run.outputs]


CLASSES = """
import copy, dataclasses, enum, pickle, typing
@dataclasses.dataclass
class Node:
    depth: int = 0
    child: 'Node | None' = None
class Mark(enum.Enum): X = 1
class Move(typing.NamedTuple): row: int = 0
things = [Node(), Mark.X, Move()]
(copy.deepcopy(things) == pickle.loads(pickle.dumps(things)) == things,
 typing.get_type_hints(Node)['child'] == Node | None, __name__)
"""
SHOWN: dict[str, tuple[list[str], list[tuple[str, str]]]] = {  # cells, and what the last one shows
    "in order": (
        ["import sys\nprint('one')\nprint('two')\nprint('three', file=sys.stderr)\ndisplay(4)\n"
         "print('five')\n6"],
        [("stdout", "one\ntwo\n"), ("stderr", "three\n"), ("display_data", "4"),
         ("stdout", "five\n"), ("execute_result", "6")],
    ),
    "nothing": ([""], []),
    "no value": (["x = 1"], []),
    "None": (["None"], []),
    "leaving": (
        ["x = 1\nexit()\nx = 2", "x += 10\nquit()\nx = 2", "import sys; sys.exit()\nx = 2", "x"],
        [("execute_result", "11")],
    ),
    "In and Out": (
        ["6 * 7", "# nothing", "  ", "1 / 0", "'a'", "_ + _i",
         "print(In[:-1], Out, _1, _i3, __, get_ipython().execution_count)"],
        [("stdout", "['', '6 * 7', '# nothing', '1 / 0', \"'a'\", '_ + _i'] "
          "{1: 42, 4: 'a', 5: \"a'a'\"} 42 1 / 0 a 7\n")],
    ),
    "no UTF-8": (["print('broken \\ud800 text')"], [("stdout", "broken ? text\n")]),
    "cleared": (
        ["from IPython.display import clear_output\nprint(1)\nclear_output()\nprint(2)"],
        [("stdout", "2\n")],
    ),
    "of ours": (  # a first error was made before any student's
        ["import linecache, sys\n"
         "hasattr(sys, 'last_value'), [name for name in linecache.cache if 'ours' in name]"],
        [("execute_result", "(False, [])")],
    ),
    "classes": ([CLASSES], [("execute_result", "(True, True, '__main__')")]),
    "shell": (["!echo hello"], [("stdout", "hello\n")]),
    "bash": (["%%bash\necho hello"], [("stdout", "hello\n")]),
    "await": (
        ["import asyncio\nawait asyncio.sleep(0, 'hello')"], [("execute_result", "'hello'")]
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_a_cell_shows_what_it_does_in_a_notebook(run: Run, name: str) -> None:
    """Are prints, displays and the last value there, in their order, and nothing else?"""
    cells, outputs = SHOWN[name]
    assert shown(run(*cells)[-1]) == outputs


OFFERS = {  # and what is shown, as a part of it
    "%%time\nprint('hello')": ("stdout", "hello"),
    "%%timeit -n1 -r1\n1 + 1": ("stdout", "per loop"),
    "print?": ("stdout", "Docstring"),
    "import warnings\nwarnings.warn('hello')": ("stderr", "UserWarning: hello"),
    "%autosave 60": ("", ""),
}


def test_a_cell_may_use_what_a_notebook_offers(run: Run) -> None:
    """Do magics, help and warnings work as in Jupyter?"""
    for only, (kind, text) in zip(run(*OFFERS), OFFERS.values(), strict=True):
        assert only.error is None
        assert not kind or any(kind == k and text in t for k, t in shown(only))


FIGURES = {  # how many pictures there are
    "plt.plot([1, 2]);": 1,
    "figure, _ = plt.subplots()\nplt.close()": 0,
    "figure, _ = plt.subplots()\nplt.close()\nfigure": 1,
    "plt.plot([1, 2])\n1 / 0": 1,
    "%matplotlib notebook\nplt.plot([1, 2]); plt.show(); plt.plot([2, 1]); plt.show()": 2,
}


def test_figures_are_pictures_below_their_cells(run: Run) -> None:
    """Is each figure shown once, where Jupyter shows it, whatever window was asked for?"""
    cells = (part for source in FIGURES for part in (source, "plt.get_fignums()"))
    _, *runs = run("import matplotlib.pyplot as plt", *cells, cell_cpu_seconds=20)
    pictures = [sum("image/png" in output.data for output in one.outputs) for one in runs[::2]]
    assert pictures == [*FIGURES.values()]
    assert all(shown(after) == [("execute_result", "[]")] for after in runs[1::2])


FAILING = {  # tests of what the notebook defines: with which error, and in which line
    "%%capture said\nassert f() == 1\nassert f() == 2": ("AssertionError", 3),
    "%%time\nassert f() == 2": ("AssertionError", 2),
    "%run -i asserts.py": ("AssertionError", 0),
    "get_ipython().run_cell('assert f() == 2')": ("AssertionError", 0),
    "if __name__ == '__main__':\n    assert f() == 2": ("AssertionError", 2),
    "async def g():\n    return f()\nassert await g() == 2": ("AssertionError", 3),
    "async def g():\n    yield f()\nasync for n in g():\n    assert n == 2": ("AssertionError", 4),
    "leave()": ("SystemExit", 1),
    "%time leave()": ("SystemExit", 1),
    "assert leave() is None": ("SystemExit", 1),
}


def test_a_test_fails_although_a_magic_goes_on_or_code_leaves(server: Server) -> None:
    """Is a wrong answer told where the test is run by IPython, later, or as a program?"""
    cells = [Cell("def f():\n    return 1\ndef leave():\n    exit()", "f")]
    cells += [Cell("", "t", model.CellTest("t", source, 1, "", ())) for source in FAILING]
    with Submission(server, cells, {"asserts.py": b"assert f() == 2\n"}, Limits()) as submission:
        results = [run.result for run in submission.runs[1:]]
    for failed, (kind, line) in zip(results, FAILING.values(), strict=True):
        assert isinstance(failed, model.CellFailure)
        assert (kind in failed.kinds, failed.line) == (True, line)


def test_files_beside_a_notebook_may_be_large(server: Server) -> None:
    """Are megabytes of data there, and is it told clearly when they are too many?"""
    files = {"data.bin": bytes(9 * 1024**2)}
    cells = [Cell("import os\nos.stat('data.bin').st_size", "cell 1")]
    with Submission(server, cells, files, Limits()) as submission:
        assert shown(submission.runs[0]) == [("execute_result", str(9 * 1024**2))]
    with pytest.raises(SandboxError, match=r"are 9 MB, .* holds 8; .*folder_bytes"):
        Submission(server, cells, files, Limits(folder_bytes=8 * 1024**2))


def test_a_display_is_kept_in_the_forms_that_a_page_can_show(run: Run) -> None:
    """Do text, markup and pictures come, for the referee to make safe, and scripts never?"""
    source = (
        "class Board:\n"
        "    def __repr__(self): return 'X . O'\n"
        "    def _repr_html_(self): return '<script>steal()</script>'\n"
        "    def _repr_png_(self): return b'picture'\n"
        "    def _repr_javascript_(self): return 'steal()'\n"
        "display(Board())\nBoard()"
    )
    (only,) = run(source)
    forms = {"text/html": "<script>steal()</script>", "image/png": "cGljdHVyZQ=="}
    assert only.outputs == [
        Output("display_data", "X . O", forms),
        Output("execute_result", "X . O", forms),
    ]


def test_all_cells_together_have_a_limit(run: Run) -> None:
    """Is output beyond a megabyte counted instead of kept, cell after cell?

    Are of thousands of empty outputs as many kept as one may wish to look at?
    """
    runs = run(*["print('x' * 60_000)"] * 20)
    kept = sum(len(output.text) for run in runs for output in run.outputs)
    assert 900_000 < kept <= MEBIBYTE + 2000
    assert [output.text for output in runs[-1].outputs] == [
        "[outputs that were not kept, since the notebook has too many: 1]\n"
    ]
    (only,) = run("for _ in range(5000):\n    display({}, raw=True)")
    assert len(only.outputs) == 512 + 1
    assert only.outputs[-1].text.endswith("too many: 4,488]\n")


ERRORS = {  # and how they are told
    "def f(:": "SyntaxError: invalid syntax",
    "1 / 0": "ZeroDivisionError: division by zero",
    "raise ValueError('first line\\nsecond line')": "ValueError: first line",
    "%no_such_magic": "UsageError: Line magic function `%no_such_magic` not found",
    "input('Your move: ')": "EOFError: nobody can type here: `input()` waits",
    "import sys\nsys.exit(1)": "SystemExit: 1",
    "raise KeyboardInterrupt()": "KeyboardInterrupt",
    "x = bytearray(10 ** 12)": "MemoryError",
    "raise ValueError('broken \\ud800 text')": "ValueError: broken ",
    "class E(Exception):\n    def __str__(self): 1 / 0\nraise E": "E: (its text cannot",
    "raise ValueError('x' * 10_000_000)": "ValueError: xxx",
}


def test_a_failing_cell_is_one_line_and_an_output(run: Run) -> None:
    """Is the error told in one line, shown among the outputs, and the next cell run in turn?"""
    runs = run(*(part for source in ERRORS for part in (source, "print('next')")))
    for failed, after, error in zip(runs[::2], runs[1::2], ERRORS.values(), strict=True):
        told = str(failed.error)
        assert told.startswith(error)
        assert "\n" not in told and len(told) <= 2100
        assert failed.outputs
        assert (after.error, shown(after)) == (None, [("stdout", "next\n")])


def test_a_traceback_names_the_cell_and_shows_the_line(run: Run) -> None:
    """Does the error output point into the student's cell, and into no file of the machine?

    Python's own text names such files where errors come in a group.
    """
    group = "raise ExceptionGroup('both', [ValueError('a'), KeyError('b')])"
    _, failed, both = run("import json", "def f(x):\n    return json.loads(x)\nf('{')", group)
    (output,) = failed.outputs
    text = "\n".join(output.traceback)
    assert output.kind == "error"
    assert output.data == {"name": "JSONDecodeError"}
    assert "cell 2" in text.lower()
    assert "In[" not in text
    assert "----> 2     return json.loads(x)" in text
    assert "referee" not in text and "/json/" not in text
    assert both.outputs[0].traceback == ["ExceptionGroup: both (2 sub-exceptions)\n"]


def test_the_outputs_of_a_cell_are_capped_and_say_so(run: Run) -> None:
    """Does a flood of output keep its beginning, tell how much is missing, and stay harmless?

    Does a cell with more pictures than a message can hold still run, with the first ones?
    """
    pictures = (
        "class Plot:\n    def _repr_png_(self): return bytes(600_000)\n"
        "for _ in range(9): display(Plot())\nfine = 1"
    )
    flood, plots, after = run("for _ in range(200): print('x' * 100_000)", pictures, "fine")
    assert (flood.error, plots.error) == (None, None)
    (first, note) = flood.outputs
    assert first.text == "x" * OUTPUT_CHARACTERS
    assert note.kind == "stderr"
    left = 200 * 100_001 - OUTPUT_CHARACTERS
    assert f"{left:,} more characters of output were not kept" in note.text
    assert ["image/png" in output.data for output in plots.outputs] == [True, False]
    assert shown(after) == [("execute_result", "1")]
