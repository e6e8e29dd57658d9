"""`check.py` tells a student what fails and why, in a notebook and in a terminal.

A kernel runs the cells of one notebook after another, each in a folder like a student's, and
forgets in between what it has run; a terminal is a Python process of its own.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from jupyter_client.manager import start_new_kernel

import check
from check import load

ROOT = Path(__file__).parents[1]
FILES = {"check": Path(check.__file__), "games": ROOT / "games.py"}
ASSIGNMENTS = sorted(folder.name for folder in (ROOT / "release").iterdir())

CHECKS = '''
import pytest

from check import student


class Test_double:
    def test_small(self, student):
        """Twice one is two"""
        assert student.double(1) == 2, f"double(1) returned {student.double(1)}; expected 2."

    def test_text(self, student):
        """Texts are doubled too

        This line is not part of the title.
        """
        pytest.fail("spam\\nspam") if student.double("spam") != "spamspam" else None


class Test_answer:
    def test_answer(self, student):
        """The answer is right"""
        assert student.answer == student.double(21)
'''
RIGHT = "def double(x):\n    return x + x\n"
TWO = "def double(x):\n    return 2\n"  # right for one of the two checks
HALF = "def half(x):\n    return x / 2\n"
USES = "def double(x):\n    return half(4 * x) if x == 1 else x + x\n"
BROKEN = "def double(x):\n  return x +\n"
CHECK, ANSWER = "check('double')", "check('answer')"
FRESH = """
import os, sys, warnings
from IPython import get_ipython
shell = get_ipython()
if "check" in sys.modules:
    sys.modules["check"].CELL.close()
for events in shell.events.callbacks.values():
    events[:] = [one for one in events if one.__module__ != "check"]
for name, module in [*sys.modules.items()]:
    if (getattr(module, "__file__", None) or "").startswith({base!r}):
        del sys.modules[name]
shell.reset()
import os
os.environ.pop("JPY_SESSION_NAME", None)
os.chdir({folder!r})
"""
Run = Callable[[str], str]


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Run]]:
    """Give a function that begins a notebook in a folder; it returns one that runs a cell there.

    That returns what the cell prints, and then what Jupyter shows of an error.
    """
    manager, client = start_new_kernel()

    def run(source: str) -> str:
        shown = []

        def show(message: dict) -> None:
            content = message["content"]
            text = content.get("text") or "\n".join(content.get("traceback", []))
            shown.append(re.sub(r"\033\[[\d;]*m", "", text))

        client.execute_interactive(source, output_hook=show, timeout=120, stop_on_error=False)
        return "".join(shown)

    def begin(folder: Path) -> Run:
        base = str(tmp_path_factory.getbasetemp())
        assert run(FRESH.format(base=base, folder=str(folder))) == ""
        return run

    yield begin
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A student's folder, with the public checks above."""
    shutil.copy(FILES["check"], tmp_path)
    (tmp_path / "test_sums.py").write_text(CHECKS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def live(folder: Path, kernel: Callable[[Path], Run]) -> Run:
    """Run cells in that folder, which have `check` already."""
    run = kernel(folder)
    assert run("from check import check") == ""
    return run


@pytest.fixture
def played(folder: Path, live: Run) -> Callable[..., str]:
    """Give a function that runs cells and saves others; it returns what the last one prints."""

    def play(saved: list[str | tuple[str, ...]] | None, *runs: str) -> str:
        for source in runs[:-1]:
            live(source)
        if saved is not None:
            cells = (("", one) if isinstance(one, str) else one for one in saved)
            write_notebook(folder / "sums.ipynb", *cells)
        return live(runs[-1])

    return play


def write_notebook(path: Path, *cells: tuple[str, ...]) -> None:
    """Write a notebook; of each cell the grade id, the source and, unless it is code, the kind."""
    notebook = nbformat.v4.new_notebook()
    for grade_id, source, *kind in cells:
        test = grade_id.startswith("test_")
        tag = {"nbgrader": {"grade_id": grade_id, "grade": test, "solution": not test}}
        new = getattr(nbformat.v4, f"new_{kind[0] if kind else 'code'}_cell")
        notebook.cells.append(new(source, metadata=tag if grade_id else {}))
    nbformat.write(notebook, path)


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in `folder`, with warnings as errors and without a say of the environment."""
    keep = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "PYTHON"))}
    return subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        cwd=folder,
        env=keep | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def terminal(folder: Path, *options: str) -> str:
    """Return what pytest says to a student in a terminal."""
    done = python(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options)
    assert done.returncode in (0, 1) and not done.stderr, done.stderr
    return done.stdout


# --- in a notebook ---------------------------------------------------------------------------


def test_the_report_is_a_line_for_each_check_with_the_reason_below(folder, live):
    """Does Jupyter show what the docstring and the message of each check say, and no more?

    Is it said that all green is not yet all, and nothing of it where one is red?
    """
    assert live(TWO + CHECK) == (
        "✔ Twice one is two\n"
        "✘ Texts are doubled too\n"
        "    spam\n"
        "    spam\n"
        "\n"
        "1 of 2 public checks pass.\n"
        "ChecksFailed: 1 of 2 public checks pass. The first to look at:\n"
        "✘ Texts are doubled too"
    )
    green = "✔ Twice one is two\n✔ Texts are doubled too\n\n2 of 2 public checks pass.\n"
    assert live(RIGHT + CHECK + "\nprint('and on')") == green + "and on\n"
    (folder / "test_sums.py").write_text('NOT_COVERED = "halves"\n' + CHECKS, encoding="utf-8")
    assert live(RIGHT + CHECK) == f"{green}They do not cover halves.\n"
    assert "halves" not in live(TWO + CHECK)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "class A:\n    def f(self):\n        raise NotImplementedError()\n"
            "double = lambda x: A().f()\n",
            "✘ Twice one is two\n    A.f raises NotImplementedError in line 3: write your code in "
            "its place\n"
            "✘ Texts are doubled too (as above)\n\n",
        ),
        (
            "def double(x):\n    return {}['key'] if x == 1 else 1 / 0\n",
            "    KeyError: 'key'\n    in double, line 2: return {}['key'] if x == 1 else 1 / 0\n"
            "✘ Texts are doubled too\n    ZeroDivisionError: division by zero\n",
        ),
        (
            "def double():\n    return 2\n",
            "TypeError: double() takes 0 positional arguments but 1 was given\n"
            '    in Test_double.test_small, line 10: assert student.double(1) == 2, f"double(1) '
            'returned {student.double(1)}; expected 2."\n✘ Texts are doubled too (as above)\n\n',
        ),
        (
            "def double(x):\n    raise KeyboardInterrupt\n",
            "✘ Twice one is two\n    KeyboardInterrupt\n    in double, line 2: raise Keyboard"
            "Interrupt\n✘ Texts are doubled too (not run)\n\n0 of 2 public checks pass.\n",
        ),
        (
            "def double(x):\n    print('x is', x)\n    return 2\n",
            "✔ Twice one is two\n✘ Texts are doubled too\n    spam\n    spam\n"
            "    It printed: x is spam\n\n",
        ),
    ],
    ids=["unwritten", "two errors", "called", "stopped", "print"],
)
def test_what_fails_comes_with_the_students_own_line(live, code, said):
    """Can the student see where it happened, without pytest's inner life?"""
    report = live(f"{code}{CHECK}")
    assert said in report
    assert "_pytest" not in report


def test_a_check_can_be_repeated_after_every_change(folder, live):
    """Do new code and checks count at once, does nothing but check.py's cache come, and do copies,
    own tests and settings of pytest that lie there not matter?
    """
    assert "1 of 2 public checks pass." in live(TWO + CHECK)
    assert "2 of 2 public checks pass." in live(RIGHT + CHECK)
    (folder / "test_sums.py").write_text(CHECKS.replace("Twice one", "Two times one"))
    assert "✔ Two times one is two" in live(CHECK)
    names = {path.name for path in folder.iterdir()} - {"__pycache__"}
    assert names == {"check.py", "test_sums.py"}
    assert all(path.name.startswith("check.") for path in folder.glob("__pycache__/*"))
    (folder / "test_sums (1).py").write_text("class Test_double:\n    def test(:", encoding="utf-8")
    (folder / "test_mine.py").write_text("no Python at all", encoding="utf-8")
    (folder / "test_latin.py").write_bytes(b"# caf\xe9")
    (folder / "conftest.py").write_text("1 / 0", encoding="utf-8")
    assert "2 of 2 public checks pass." in live(CHECK)


def test_checks_that_are_not_there_or_broken_are_told(folder, live):
    """Does a slip of the pen explain itself, and a damaged file of checks, or one that lacks a
    file, say so in a line? And a folder without checks?
    """
    report = live("check('Double')")
    assert "ValueError: there are no checks for 'Double' in " in report
    assert report.endswith('those I know: check("double"), check("answer")')
    file = folder / "test_sums.py"
    for text, said in ("class Test_double: def (", "SyntaxError"), ("import gone", "named 'gone'"):
        file.write_text(f"{text}\nclass Test_double: 0\n")
        report = live(RIGHT + CHECK)
        assert report.startswith("ChecksFailed: test_sums.py cannot be run as it is:\n")
        assert said in report
    file.unlink()
    assert "those I know: none: no test_*.py is here" in live(CHECK)


@pytest.mark.parametrize("module", ["check", "games"])
def test_a_python_that_is_too_old_is_told_which_one_is_needed(module):
    """Does Python 3.8 understand the file so far as to say the sentence?"""
    ast.parse(FILES[module].read_text("utf-8"), feature_version=(3, 8))
    old = (
        f"import sys; sys.version_info = (3, 8, 10); sys.version = '3.8.10 (old)'; import {module}"
    )
    done = python(FILES[module].parent, "-c", old)
    assert done.stderr.endswith(
        "ImportError: This needs Python 3.11 or newer, and here is 3.8.10.\n"
    )


# --- what is checked, and what is handed in --------------------------------------------------

STOPPED_IN_IT = "the cell that should define `double` stopped with\n    "
NOT_PYTHON, ZERO = "double = 1\nclass = 3", f"1 / 0\n{RIGHT}"
UNFINISHED, MAGIC = "answer = [1]\nanswer.append({}['key'])", f"%%timeit -n1 -r1\n{RIGHT}"
ITSELF, SAME, TRY = "double = double(2)", "def double(n):\n    return n\n", "for double in 1,: 0"
ONE = ("double", TWO)  # a solution, and right for one of the two checks
CHANGED = "`double` is something else since the cell with `{}` has run."
UNKNOWN, MEND = "`answer` is not defined", "\n    Mend or run its cell, save"
NOWHERE = "`double` is not defined, and no code cell of sums.ipynb defines it.\n    Is its cell del"
CAUSES = {  # what is saved, what has run, and how the first reason begins
    "a slip": ([BROKEN], [RIGHT, BROKEN, CHECK], f"{STOPPED_IN_IT}SyntaxError: invalid syntax in"),
    "an error before": ([ZERO], [RIGHT, ZERO, CHECK], f"{STOPPED_IN_IT}ZeroDivisionError: div"),
    "no Python": ([NOT_PYTHON], [RIGHT, NOT_PYTHON, CHECK], f"{STOPPED_IN_IT}SyntaxError: inv"),
    "unfinished": ([RIGHT, UNFINISHED], [RIGHT, UNFINISHED, ANSWER],
        "A cell that this needs stopped with\n    KeyError: 'key'\n    in the cell, line 2: ans"),
    "not run, no file": (None, [RIGHT, ANSWER], UNKNOWN + MEND),
    "not run": (["# mine\nanswer = 42"], [RIGHT, ANSWER],
        f"{UNKNOWN}: the cell with `answer = 42` should define it{MEND}"),
    "nowhere": ([("test_double", CHECK)], [CHECK], NOWHERE),
    "in a text": ([("double", RIGHT, "markdown")], [CHECK], NOWHERE),
    "in a raw cell": ([("double", RIGHT, "raw")], [CHECK], NOWHERE),
    "a magic": ([MAGIC], [MAGIC, CHECK],
        "`double` is not defined\n    %%timeit -n1 -r1 keeps to itself what its cell defines\n"),
    "overwritten": ([("double", RIGHT), ITSELF], [RIGHT, ITSELF, CHECK],
        f"{CHANGED.format(ITSELF)}\n    TypeError: 'int' object is not"),
    "by a function": ([ONE, SAME], [TWO, SAME, CHECK], CHANGED.format("def double(n):")),
    "by a try": ([ONE], [TWO, TRY, CHECK], CHANGED.format(TRY)),
    "overwritten before": ([ONE, SAME], [SAME, TWO, CHECK], "spam\n    spam"),
    "another solution": ([ONE], [TWO.replace("2", "3"), CHECK], "double(1) returned 3; expected"),
}  # fmt: skip


@pytest.mark.parametrize(("saved", "runs", "said"), CAUSES.values(), ids=CAUSES)
def test_what_is_behind_a_failed_check_is_told_first(played, saved, runs, said):
    """Is it told which cell has stopped, is missing or hides a name, or has overwritten it?

    Is an older definition not checked in its place, and nothing told that was not so?
    """
    _, _, reason = played(saved, *runs).partition("\n    ")
    assert reason.startswith(said)


TYPED = f"import builtins\nbuiltins.input = lambda _: '42'\nanswer = int(input('?'))\n{RIGHT}"
WRAPPED, ONLY = "f = double\ndouble = lambda x: f(x)", "only the notebook is handed in."
MINE, CALLS = "from mine import *\nimport mine", "def double(x):\n    return mine.double(x)\n"
DIFFERENT = {  # what is saved, what has run, and what a green check says
    "edited and not run": ([RIGHT + "# edited"], [RIGHT], "sums.ipynb holds another `double`."),
    "wrapped": ([RIGHT], [RIGHT, WRAPPED], "sums.ipynb holds another `double`."),
    "deleted": ([HALF], [HALF, RIGHT], "No code cell of sums.ipynb defines `double`."),
    "helper deleted": ([USES], [HALF, USES], "No code cell of sums.ipynb defines `half`."),
    "renamed": ([HALF, USES.replace("half", "h")], [HALF, USES], "holds another `double`."),
    "out of order": ([RIGHT, BROKEN], [BROKEN, RIGHT], "sums.ipynb holds another `double`."),
    "helper out of order": (["half = abs", USES], [HALF, USES, "half = abs", HALF],
        "sums.ipynb holds another `half`."),
    "typed": ([TYPED], [TYPED], "The cell of `double` has `input()`: nobody types when it is g"),
    "from a file": ([MINE], [MINE], f"Copy `double` from mine.py: {ONLY}"),
    "a helper's file": ([MINE, CALLS], [MINE, CALLS], f"Copy `mine` from mine.py: {ONLY}"),
}  # fmt: skip


@pytest.mark.parametrize(("saved", "runs", "said"), DIFFERENT.values(), ids=DIFFERENT)
def test_what_would_be_handed_in_is_something_else(folder, played, saved, runs, said):
    """Does a green report say that it is of other code than the file's?"""
    (folder / "mine.py").write_text(RIGHT, encoding="utf-8")
    report = played(saved, *runs, CHECK)
    assert "2 of 2 public checks pass.\nBut that is not what you would hand in:\n" in report
    assert f"\n{said}" in report or f" {said}" in report
    assert report.endswith("\nSave the notebook, run its cells from the top, and check again.\n")


def test_a_copy_of_the_notebook_is_told(folder, live):
    """Does who works in a copy hear which file is handed in?"""
    for name in "sums.ipynb", "sums-Copy1.ipynb":
        write_notebook(folder / name, ("double", RIGHT))
        live(f"import os; os.environ['JPY_SESSION_NAME'] = {str(folder / name)!r}")
        live(RIGHT)
        assert ("This is sums-Copy1.ipynb; sums.ipynb is handed in." in live(CHECK)) is (
            name != "sums.ipynb"
        )


MADE, BELOW = "answer = double(21)", f"{RIGHT}answer = 42\nprint({{}}['key'])"
OWN = "input = int\nanswer = input('42')\n" + RIGHT
LOCAL = "def double(x):\n    half = x\n    return half + x\n"
AGAIN = f"{RIGHT}n = 21\nanswer = double(n)"
OTHER = "def try_it(half):\n    x = [half for half in 'abc']"
RIGHT_AND_SAVED = {  # what is saved, and what has run, for a check that has no more to say
    "in order": ([RIGHT, CHECK], [RIGHT], CHECK),
    "mended": ([RIGHT], [BROKEN, RIGHT], CHECK),
    "an error below": ([RIGHT + "double(1) / 0"], [RIGHT + "double(1) / 0"], CHECK),
    "one below a value": ([BELOW], [BELOW], ANSWER),
    "checked in its cell": ([RIGHT + CHECK], [], RIGHT + CHECK),
    "a magic": (["%%time\n" + RIGHT], ["%%time\n" + RIGHT], CHECK),
    "a value made again": ([TWO, RIGHT, MADE], [TWO, MADE, RIGHT, MADE], ANSWER),
    "own input": ([OWN], [OWN], ANSWER),
    "a cell run again": ([AGAIN], [AGAIN.replace("21", "4"), AGAIN], ANSWER),
    "parameters": ([LOCAL, OTHER], [LOCAL, OTHER, "half = 3"], CHECK),
    "tries": ([LOCAL, "x = 1"], [LOCAL, "x = 2\ndouble(x)", "x = 3"], CHECK),
    "imports": ([LOCAL], [LOCAL, "import math as half", "%time double(1)"], CHECK),
    "a file of the release": ([MINE, CALLS], [MINE, CALLS], CHECK),
}


@pytest.mark.parametrize(("saved", "runs", "last"), RIGHT_AND_SAVED.values(), ids=RIGHT_AND_SAVED)
def test_what_is_handed_in_needs_no_word(folder, played, saved, runs, last):
    """Does a right notebook hear nothing of parameters, of what tries set, and of imports?"""
    (folder / "mine.py").write_text(RIGHT, encoding="utf-8")
    (folder / "given.py").write_text("import mine", encoding="utf-8")  # so the release has it
    report = played(saved, *runs, last)
    assert re.fullmatch(r"(✔ .+\n)+\n(\d) of \2 public checks pass\.\n", report), report


def test_a_value_that_an_older_function_has_made_is_told(played):
    """Is `answer` to be computed again, once `double` is another one?"""
    cells = [RIGHT.replace("x + x", "2 * x"), MADE]
    report = played(cells, RIGHT, MADE, cells[0], ANSWER)
    said = "`{}` was made before `{}` was changed: run its cell."
    assert f"\n{said.format('answer', 'double')}\n" in report
    made = "other = n\nanswer = double(n)"  # one line for all that a cell has made
    report = played(["n = 21", RIGHT, made], "n = 4", RIGHT, made, "n = 21", ANSWER)
    assert report.count("was made before") == 1 and said.format("answer", "n") in report


# --- loops -----------------------------------------------------------------------------------

STOPPED = r"Stopped after [\d.]+ seconds of computing, [\d.]+ by the clock: is there a loop"
LOOP = """
def double(x):
    while x:
        try:
            x += 1
        except:
            pass
"""


@pytest.mark.parametrize("browser", ["False", "hasattr(sys, 'monitoring')"])
def test_a_loop_is_told_and_the_work_is_kept(live, browser):
    """Does a loop without an end stop by itself, with threads and, as in a browser, without?"""
    live(f"import check as module, sys\nmodule.SECONDS, module.BROWSER = 0.2, {browser}\n{LOOP}")
    report = live(CHECK)
    assert re.search(f"✘ Twice one is two\n    {STOPPED}", report)
    assert "    in double, line " in report
    assert "\n✘ Texts are doubled too (not run)\n\n0 of 2 public" in report
    live("module.SECONDS = 15\nsys.setprofile(lambda *_: None)\nsys.setprofile(None)")
    assert live(RIGHT + CHECK).endswith("2 of 2 public checks pass.\n")


def test_a_loop_in_any_cell_stops_and_says_where(live):
    """Does a cell without a check stop, too, and is what was there before kept?

    Is time by the clock alone no reason to stop, as for somebody who types?
    """
    live("import check as module, time\nmodule.CELL_SECONDS = 0.5\n" + RIGHT)
    report = live("def f():\n    while True:\n        g()\ndef g():\n    return\nf()")
    assert re.search(STOPPED, report)
    assert "line " in report
    assert live("double(1)\nprint('kept')") == "kept\n"
    live("module.SECONDS = 0.05")
    assert "2 of 2" in live(f"double = lambda x: time.sleep(0.3) or x + x\n{CHECK}")


# --- in a terminal ---------------------------------------------------------------------------


def test_a_cell_that_stops_is_told_in_a_terminal(folder):
    """Are cells after a loop run, does what came before it count, and is a line shown?"""
    loop = "while True:\n    x = 1"
    wrong = "if True:\n    answer = 1 / 0"
    write_notebook(
        folder / "sums.ipynb", ("try", loop), ("double", f"{RIGHT}{loop}"), ("answer", wrong)
    )
    limited = "import check, pytest; check.CELL_SECONDS = check.SECONDS = 0.5; "
    done = python(folder, "-c", limited + "pytest.main(['-p', 'no:cacheprovider'])")
    assert "1 failed, 2 passed" in done.stdout
    assert (
        "the cell that should define `answer` stopped with\n"
        "ZeroDivisionError: division by zero\n"
        "in the cell, line 2: answer = 1 / 0\n"
        "Mend or run its cell, save the notebook, and try again."
    ) in done.stdout
    assert "check.py" not in done.stdout


def test_pytest_runs_the_saved_notebook_once(folder):
    """Do all checks share one run of the cells, in their order, without the test cells?"""
    write_notebook(
        folder / "sums.ipynb",
        ("", "%matplotlib inline\nif True:\n    !ls\nruns = open('runs', 'a')\nruns.write('!')"),
        ("double", RIGHT),
        ("test_double", "1 / 0\nanswer = 'wrong'"),
        ("", "import sys\nsys.exit('a cell that raises does not stop the later ones')"),
        ("answer", "runs.close()\nanswer = 42\nprint('chatter')"),
    )
    said = terminal(folder, "-rA")
    assert "3 passed" in said, said
    assert "chatter" not in said
    assert (folder / "runs").read_text() == "!"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "found: none.\nLeave the one that you hand in, move any other"),
        ({"b": "{}", "a": "{}"}, "found: a.ipynb, b.ipynb.\nLeave the one that you hand in"),
        ({"a": "{"}, "a.ipynb is not a notebook that can be read"),
        ({"a": '{"worksheets": []}'}, "Open it in JupyterLab, save it, and try again."),
    ],
    ids=["none", "two", "damaged", "too old"],
)
def test_pytest_wants_one_notebook_that_can_be_read(folder, live, files, said):
    """Are doubts about which notebook is meant voiced once, and not decided?

    In a notebook, as in Colab, is there nothing to compare with, and no word of it?
    """
    for name, content in files.items():
        (folder / f"{name}.ipynb").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError) as caught:
        load(folder)
    assert said in str(caught.value)
    assert live(RIGHT + CHECK).endswith("2 of 2 public checks pass.\n")
    if len(files) == 2:
        assert terminal(folder).count("exactly one notebook in") == 1


# --- with the assignments of the course ------------------------------------------------------

SMALL = ("break-it", "game-trees")


@pytest.mark.parametrize("name", SMALL)
def test_a_blank_notebook_passes_no_check(tmp_path, name):
    """Is nothing given for nothing, in a terminal?"""
    shutil.copytree(ROOT / "release" / name, tmp_path, dirs_exist_ok=True)
    last_line = terminal(tmp_path).splitlines()[-1]
    assert "failed" in last_line and "passed" not in last_line


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=[pytest.mark.proof] * (one not in SMALL)) for one in ASSIGNMENTS],
)
def test_a_right_notebook_run_in_order_hears_only_that_its_checks_pass(tmp_path, kernel, name):
    """Is nothing else said, saved before or after what ran, and when a check is run again later?"""
    folder = tmp_path
    for place in ("release", "source"):  # with the reference solution
        shutil.copytree(ROOT / place / name, folder, dirs_exist_ok=True)
    file, run, reports = folder / f"{name}.ipynb", kernel(folder), []
    os.utime(file, (0, 0))
    cells = nbformat.read(file, as_version=4).cells
    sources = [cell.source for cell in cells if cell.cell_type == "code"]
    checks = [source for source in sources if source.startswith("check(")]
    for source in sources:
        shown = run(source)
        reports += [shown] * (source in checks)
    os.utime(file)
    reports += [run(source) for source in checks]
    assert len(reports) >= 10
    ends = r"(✔ .+\n)+\n(\d+) of \2 public checks pass\.\n(They do not cover .+\n)?"
    assert [text for text in reports if not re.fullmatch(ends, text)] == []
