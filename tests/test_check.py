"""`check.py` tells a student what fails and why, in a notebook and in a terminal.

Each run happens in a folder like a student's, in a Python process of its own.
"""

import ast
import collections
import fractions
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import check
from referee import course
from referee.marks import settings

ROOT = Path(__file__).parents[1]
FILES = {"check": Path(settings.CHECK), "games": ROOT / "games.py"}

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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A student's folder, with the public checks above."""
    shutil.copy(settings.CHECK, tmp_path)
    (tmp_path / "test_sums.py").write_text(CHECKS, encoding="utf-8")
    return tmp_path


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


HARNESS = """
import linecache, sys
from check import check

def try_check(cell):
    try:
        check(cell)
    except (AssertionError, ValueError) as error:
        print(f"{type(error).__name__}: {error}")

linecache.cache["cell"] = (1, None, sys.argv[1].splitlines(keepends=True), "cell")
exec(compile(sys.argv[1], "cell", "exec"))
"""


def live(folder: Path, code: str) -> str:
    """Return what `code` prints when it is run as a notebook would, and nothing goes to stderr."""
    done = python(folder, "-c", HARNESS, code)
    assert done.stderr == ""
    return done.stdout


def write_notebook(path: Path, *cells: tuple[str, ...]) -> None:
    """Write a notebook; of each cell the grade id, the source and, unless it is code, the kind."""
    notebook = nbformat.v4.new_notebook()
    for grade_id, source, *kind in cells:
        tag = {"nbgrader": {"grade_id": grade_id, "grade": grade_id.startswith("test_")}}
        new = getattr(nbformat.v4, f"new_{kind[0] if kind else 'code'}_cell")
        notebook.cells.append(new(source, metadata=tag if grade_id else {}))
    nbformat.write(notebook, path)


def terminal(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run pytest as a student would, in a terminal."""
    return python(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options)


# --- in a notebook ---------------------------------------------------------------------------


def test_each_check_is_a_line_and_a_failure_has_its_reason_below(folder):
    """Is the report what the docstring and the message of each check say, and no more?"""
    assert live(folder, "def double(x):\n    return 2\ntry_check('double')") == (
        "✔ Twice one is two\n"
        "✘ Texts are doubled too\n"
        "    spam\n"
        "    spam\n"
        "\n"
        "1 of 2 public checks pass.\n"
        "ChecksFailed: 1 of 2 public checks pass. The first to look at:\n"
        "✘ Texts are doubled too\n"
    )


def test_success_raises_nothing(folder):
    """Does a right solution end the cell without an error?"""
    report = live(folder, RIGHT + "check('double')\nprint('and on')")
    assert report.endswith("✔ Texts are doubled too\n\n2 of 2 public checks pass.\nand on\n")


def test_unwritten_code_is_named(folder):
    """Does a blank method look like work to do and not like a crash?"""
    code = "class A:\n    def f(self):\n        raise NotImplementedError()\n"
    report = live(folder, code + "double = lambda x: A().f()\ntry_check('double')")
    assert "✘ Twice one is two\n    not written yet: A.f\n" in report
    assert "✘ Texts are doubled too (as above)\n\n" in report


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "def double(x):\n    return x + {}[x]\n",
            "KeyError: 1\n    in double, line 2: return x + {}[x]",
        ),
        (
            "def double(x):\n    return double(x)\n",
            "RecursionError: maximum recursion depth exceeded\n    in double, line 2: return",
        ),
        ("def double(x):\n    assert x == 2\n", "AssertionError\n    in double, line 2: assert x"),
        (
            "def double():\n    return 2\n",
            "TypeError: double() takes 0 positional arguments but 1 was given\n"
            "    in Test_double.test_small, line 10: assert student.double(1) == 2",
        ),
        ("import sys\ndouble = sys.exit\n", "SystemExit: 1"),
    ],
)
def test_an_exception_comes_with_the_students_own_line(folder, code, reason):
    """Can the student see where it happened, without pytest's inner life?"""
    report = live(folder, code + "try_check('double')")
    assert f"✘ Twice one is two\n    {reason}" in report
    assert "_pytest" not in report


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def double(x): return {}[x]", "`.get(key, other)` returns `other`.\n    The check asked"),
        ("def double(x): return double(x)", "It calls itself without end: when does it stop, and"),
        (
            "double = lambda x: half(x)\ndef half(x): return double(x)",
            "It calls itself without end",
        ),
        (
            "y = 1\ndef double(x):\n    y += x\n    return y",
            "What a function sets is its own: give",
        ),
        (
            "from check import Result\ndouble = lambda x: Result(x, x).name",
            "A Result has causes, p",
        ),
        (
            "class A:\n    def f(self, x): return x\ndouble = lambda x: A.f(x)",
            "`A` is the class, and",
        ),
        (
            "def double(x, seen=[]):\n    seen.append(x)\n    return len(seen)",
            "Calls change `seen=...`",
        ),
        (
            "seen = {}\ndef double(x):\n    seen[x] = x\n    return 3",
            "Calls change `seen`, and the",
        ),
        (
            "n = 5\ndef double(x):\n    global n\n    n += 1\n    return n",
            "Calls change `n`, and the",
        ),
        (
            "class A: n = 0\ndef double(x):\n    A.n += 1\n    return A.n + 9",
            "Calls change `A.n`, and",
        ),
        ("n = [1]\ndef double(x): return n + n", None),
        ("class A(list):\n    __len__ = None\nn = A()\ndef double(x): return 3", None),
    ],
)
def test_a_usual_cause_is_told_with_what_to_ask(folder, code, said):
    """Does an error or a wrong result say what is behind it, where that is sure?"""
    report = live(folder, code + "\ntry_check('double')")
    assert said in report if said else "Calls change" not in report, report


def test_code_that_asks_for_a_name_of_another_cell_is_told_which(folder):
    """Is it said which cell to run, and nothing of a name that no cell defines?"""
    write_notebook(folder / "sums.ipynb", ("half", HALF), ("double", USES))
    code = "def double(x):\n    return half(4 * x)\ntry_check('double')"
    reason = "`half` is not defined: the cell 'half' should define it\n    Run that cell, then run"
    assert reason in live(folder, code)
    assert "should define" not in live(folder, code.replace("half", "halve"))


def test_what_failing_code_prints_is_shown(folder):
    """Can a student look into failing code with print?"""
    code = "def double(x):\n    print('x is', x)\n    return 2\n"
    report = live(folder, code + "try_check('double')")
    assert "    spam\n    It printed: x is spam\n" in report
    assert "x is 1" not in report


def test_a_missing_name_tells_which_cell_defines_it(folder):
    """Is it clear what to run, whether the name has checks of its own or not?"""
    report = live(folder, "answer = 42\ntry_check('answer')")
    assert "`double` is not defined: the cell 'double' should define it\n    Run that" in report
    report = live(folder, RIGHT + "try_check('answer')")
    assert "`answer` is not defined: the cell 'answer' should define it\n    Run that" in report


ASLEEP = "cell in sums.ipynb, and only code runs: click on it, press Esc, then Y, and save.\n"
NO_CELL = "no cell of sums.ipynb, as it is saved, defines it"


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([("double", RIGHT, "markdown")], f"the cell 'double' is a Markdown {ASLEEP}"),
        ([("double", RIGHT, "raw")], f"the cell 'double' is a raw {ASLEEP}"),
        ([("", RIGHT, "markdown")], f"the cell with `def double` is a Markdown {ASLEEP}"),
        ([], f"{NO_CELL}, and there is no cell 'double': take a deletion back"),
        ([("double", "import math"), ("", RIGHT)], "the cell with `def double(x):` defines it.\n"),
        ([("", "x = 1\ndouble = abs")], "the cell with `double = abs` defines it.\n"),
        (
            [("double", "def dubble(x):\n    1")],
            f"{NO_CELL}; the cell 'double' should, and defines `d",
        ),
        ([("double", RIGHT), ("other", "double", "raw")], "the cell 'double' should define it\n"),
    ],
    ids=["text", "raw", "pasted text", "deleted", "split", "pasted", "renamed", "not run"],
)
def test_what_has_become_of_the_cell_that_should_run_is_told(folder, cells, said):
    """Is nobody told to run a cell that is not there, or does not run, here and in a terminal?"""
    text = ("", "# `double`\nanswer: write `double`, and `double(2)` is 4", "markdown")
    write_notebook(folder / "sums.ipynb", text, *cells, ("test_double", "check('double')"))
    report = live(folder, "try_check('double')")
    assert f"    `double` is not defined: {said}" in report, report
    assert "    Run that cell, then run this check again.\n" in report
    if said.endswith(ASLEEP):
        assert f"`double` is not defined: {said}" in terminal(folder).stdout
        write_notebook(folder / "sums.ipynb", *(cell[:2] for cell in cells))  # after Esc, then Y
        assert "2 passed" in terminal(folder, "-k", "double").stdout


def names_defined(source):
    """Return the names that stand to the left at the top of a cell, and its functions."""
    found = set()
    for node in ast.parse(source).body:
        targets = getattr(node, "targets", [getattr(node, "target", ast.Tuple([]))])
        found |= {
            name.id for one in targets for name in ast.walk(one) if isinstance(name, ast.Name)
        }
        found |= {getattr(node, "name", "")}
    return found


@pytest.mark.parametrize("name", ["break-it", "connect-four", "game-trees", "tic-tac-toe"])
def test_a_cell_that_is_named_defines_what_is_asked(name):
    """Does a missing name of the course's notebooks send to the cell that defines it?"""
    notebook = json.loads((ROOT / f"source/{name}/{name}.ipynb").read_text("utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    defined = {cell["id"]: names_defined("".join(cell["source"])) for cell in code}
    tree = ast.parse((ROOT / f"source/{name}/test_{name.replace('-', '_')}.py").read_text("utf-8"))
    lines = [node for node in tree.body if isinstance(node, ast.Assign)]
    tables = [one.value for one in lines if getattr(one.targets[0], "id", "") == "DEFINED_IN"]
    elsewhere = {key: cell for table in tables for key, cell in ast.literal_eval(table).items()}
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    cells = {one.name.removeprefix("Test_") for one in classes}
    said = {
        (node.attr, elsewhere.get(node.attr, node.attr if node.attr in cells else one.name[5:]))
        for one in classes
        for node in ast.walk(one)
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "student"
    }
    assert said and {(name, cell) for name, cell in said if name not in defined[cell]} == set()


def test_an_unknown_name_lists_the_known_ones(folder):
    """Does a slip of the pen explain itself, and a folder without checks too?"""
    report = live(folder, "try_check('Double')")
    assert report.startswith("ValueError: there are no checks for 'Double' in ")
    assert report.endswith('those I know: check("double"), check("answer")\n')
    (folder / "test_sums.py").unlink()
    assert "those I know: none: no test_*.py is here" in live(folder, "try_check('double')")


def test_a_check_can_be_repeated_after_every_change(folder):
    """Do new code and new checks count at once, in the same process?"""
    code = """
        from pathlib import Path
        double = lambda x: 2
        try_check("double")
        double = lambda x: x + x
        check("double")
        text = Path("test_sums.py").read_text()
        Path("test_sums.py").write_text(text.replace("Twice one", "Two times one"))
        check("double")
    """
    report = live(folder, textwrap.dedent(code))
    counts = [line for line in report.splitlines() if line.endswith("pass.")]
    assert [line[0] for line in counts] == ["1", "2", "2"]
    assert "✔ Two times one is two" in report


def test_nothing_is_written(folder):
    """Does the folder stay as it was?"""
    before = sorted(folder.rglob("*"))
    live(folder, RIGHT + "check('double')\nimport sys\nassert not sys.dont_write_bytecode")
    assert [path for path in sorted(folder.rglob("*")) if path not in before] == [
        folder / "__pycache__",  # Python itself, when it imports check.py
        *(folder / "__pycache__").iterdir(),
    ]
    assert all(path.name.startswith("check.") for path in (folder / "__pycache__").iterdir())


def test_other_files_in_the_folder_do_not_matter(folder):
    """Can a student keep copies, own tests and settings of pytest there?"""
    (folder / "test_sums (1).py").write_text("class Test_double:\n    def test(:", encoding="utf-8")
    (folder / "test_mine.py").write_text("no Python at all", encoding="utf-8")
    (folder / "test_latin.py").write_bytes(b"# caf\xe9")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --nonsense\n", encoding="utf-8")
    (folder / "conftest.py").write_text("1 / 0", encoding="utf-8")
    assert "2 of 2 public checks pass." in live(folder, RIGHT + "check('double')")


def test_broken_checks_are_not_blamed_on_the_student(folder):
    """Does a damaged file of checks say that it is damaged?"""
    (folder / "test_sums.py").write_text("class Test_double:\n    def (", encoding="utf-8")
    report = live(folder, RIGHT + "try_check('double')")
    assert report.startswith("ChecksFailed: test_sums.py cannot be run as it is:\n")
    assert "SyntaxError: invalid syntax" in report


def test_a_complaint_of_pytest_is_passed_on(folder):
    """If pytest itself refuses to run, does the student see why?"""
    ask = "import os\nos.environ['PYTEST_ADDOPTS'] = '--nonsense'\ntry_check('double')"
    report = live(folder, ask)
    assert report.startswith("ChecksFailed: test_sums.py cannot be run as it is:\n")
    assert "unrecognized arguments: --nonsense" in report


def test_an_exception_comes_with_the_call_and_the_position(folder):
    """Can a student repeat the call that went wrong?"""
    code = """
        class Board:
            board = {(0, 1): "X", (2, 2): "O"}

        class Rules:
            def __init__(self):
                self.h, self.name = 2, "small"

            def moves(self, state, number):
                return self.missing(state)

            def missing(self, state):
                return state[0]

        def double(x):
            return Rules().moves(Board(), x) if x == 1 else x + {}

        def example():
            return Rules(), Board()

        try_check("double")
    """
    report = live(folder, textwrap.dedent(code))
    assert "in Rules.missing, line 13: return state[0]\n    The check asked for double(1)" in report
    assert "The check asked for double('spam')\n" in report
    asked = CHECKS.replace("student.double(1)", "student.Rules().moves(student.Board(), 7)")
    (folder / "test_sums.py").write_text(asked, encoding="utf-8")
    report = live(folder, textwrap.dedent(code))
    assert "asked for Rules.moves(self with h=2, state with X (0, 1), O (2, 2), 7)\n" in report


def test_a_cause_is_told_once(folder):
    """Do many failures for one reason fill no screen, and is each other reason told?"""
    checks = "".join(
        f'    def test_{n}(self, student):\n        """Check {n}"""\n        student.double({n})\n'
        for n in range(5)
    )
    head = CHECKS.split("    def test_small")[0]
    (folder / "test_sums.py").write_text(head + checks, encoding="utf-8")
    code = "def double(x):\n    return {}['key'] if x < 4 else 1 / 0\ntry_check('double')"
    report = live(folder, code).splitlines()
    assert [line for line in report if "The check asked for" in line] == [
        f"    The check asked for double({x})" for x in (0, 4)
    ]
    assert [line for line in report if line.endswith("(as above)")] == [
        f"✘ Check {x} (as above)" for x in (1, 2, 3)
    ]


@pytest.mark.parametrize("place", ["with an alarm", "without"])
def test_a_loop_is_told_and_the_work_is_kept(folder, place):
    """Does a loop without an end stop by itself, wherever the notebook runs?"""
    code = f"""
        import check as module

        module.SECONDS = 0.2
        if {place == "without"}:
            module.has_alarm = lambda: False

        def double(x):
            while x:
                try:
                    x += 1
                except{" Exception" if place == "without" else ""}:
                    pass

        try_check("double")
        module.SECONDS = 15
        double = lambda x: x + x
        check("double")
    """
    report = live(folder, textwrap.dedent(code))
    assert "✘ Twice one is two\n    Stopped after 0.2 seconds: is there a loop" in report
    assert "    in double, line " in report
    assert "\n    The checks after this one were not run.\n\n0 of 2 public" in report
    assert report.endswith("2 of 2 public checks pass.\n")


def test_what_is_not_covered_is_said_in_the_end(folder):
    """Does a student learn that all green is not yet all?"""
    (folder / "test_sums.py").write_text('NOT_COVERED = "halves"\n' + CHECKS, encoding="utf-8")
    report = live(folder, RIGHT + "check('double')")
    assert report.endswith("2 of 2 public checks pass.\nThey do not cover halves.\n")


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


@pytest.mark.parametrize(("there", "advice"), [("None", ""), ("type(sys)('pytest')", "--upgrade ")])
def test_a_pytest_that_is_too_old_or_missing_is_told_what_to_type(there, advice):
    """Is the next step in the message?"""
    done = python(
        FILES["check"].parent, "-c", f"import sys; sys.modules['pytest'] = {there}; import check"
    )
    assert done.stderr.endswith(f"need pytest 7 or newer: type `pip install {advice}pytest`.\n")


def test_an_endless_check_can_be_stopped(folder):
    """After an interrupt, does the student see which line was running?"""
    code = "def double(x):\n    if x != 1:\n        raise KeyboardInterrupt\n    return 2\n"
    report = live(folder, code + "try_check('double')")
    assert "✔ Twice one is two\n✘ Texts are doubled too\n    KeyboardInterrupt\n" in report
    assert "in double, line 3" in report
    assert "Stopped before it ended.\n\n1 of 2 public checks pass.\n" in report


def test_in_jupyter_the_report_is_all_there_is(folder):
    """Does a kernel show the report and one short error, and go on with edited cells?"""
    write_notebook(
        folder / "sums.ipynb",
        ("", "from check import check"),
        ("double", "def double(x):\n    return {1: 2}[x]"),
        ("test_double", "check('double')"),
        ("", RIGHT),
        ("", "check('double')"),
    )
    notebook = nbformat.read(folder / "sums.ipynb", as_version=4)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, resources=resources, allow_errors=True, timeout=60).execute()
    failing, passing = notebook.cells[2].outputs, notebook.cells[4].outputs
    assert "KeyError: 'spam'\n    in double, line 2: return {1: 2}[x]\n" in failing[0].text
    assert failing[1].traceback == [
        "ChecksFailed: 1 of 2 public checks pass. The first to look at:\n✘ Texts are doubled too"
    ]
    assert [output.get("name") for output in passing] == ["stdout"]
    assert passing[0].text.endswith("2 of 2 public checks pass.\n")


# --- what is checked, and what is handed in --------------------------------------------------


def played(
    folder: Path, saved: list[str | tuple[str, ...]], *runs: str, later: bool = False
) -> str:
    """Return what the last cell prints of those that run in a kernel, beside a saved notebook.

    The notebook is saved before they run, or `later`, but before the last one.
    """
    file = folder / "sums.ipynb"

    def save(**_: object) -> None:
        write_notebook(file, *(("", one) if isinstance(one, str) else one for one in saved))

    if not later:
        save()
        os.utime(file, (0, 0))
    first = "import os\nos.environ.pop('JPY_SESSION_NAME', None)\nfrom check import check"
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in (first, *runs)]
    client = NotebookClient(
        notebook,
        resources={"metadata": {"path": str(folder)}},
        allow_errors=True,
        timeout=60,
        on_cell_start=lambda cell, cell_index: save() if later and cell_index == len(runs) else 0,
    )
    client.execute()
    return "".join(
        one.get("text", "") + "\n".join(one.get("traceback", []))
        for one in notebook.cells[-1].outputs
    )


CHECK = "check('double')"
BROKEN = "def double(x):\n  return x +\n"
HALF = "def half(x):\n    return x / 2\n"
USES = "def double(x):\n    return half(4 * x) if x == 1 else x + x\n"
DIFFERS = "2 of 2 public checks pass.\nBut that is not what you would hand in:\n"


def test_what_was_run_and_is_saved_needs_no_word(folder):
    """Is nothing added where kernel and notebook agree?"""
    assert played(folder, [RIGHT, CHECK], RIGHT, CHECK, later=True).endswith("checks pass.\n")


@pytest.mark.parametrize("broken", [BROKEN, "1 / 0\n" + RIGHT], ids=["syntax", "before it"])
def test_a_cell_that_was_run_and_failed_is_told(folder, broken):
    """Is the older definition not checked in its place, and is the error shown?"""
    report = played(folder, [broken], RIGHT, broken, CHECK, later=True)
    assert "✘ Twice one is two\n    the cell that should define `double` stopped with\n" in report
    assert "0 of 2 public checks pass." in report
    assert "2 of 2" in played(folder, [RIGHT], broken, RIGHT, CHECK, later=True)


def test_a_cell_that_failed_below_a_definition_has_defined_it(folder):
    """Is the error of a call in the same cell no reason to check nothing?"""
    code = RIGHT + "double(1) / 0"
    assert played(folder, [code], code, CHECK, later=True).endswith("2 of 2 public checks pass.\n")


@pytest.mark.parametrize(
    ("saved", "runs", "said"),
    [
        ([RIGHT + "# edited"], [RIGHT], "sums.ipynb holds another `double`: run its cell"),
        ([USES], [HALF, USES], "No cell of sums.ipynb makes `half` any more."),
        ([HALF, USES.replace("half", "halve")], [HALF, USES], "holds another `double`"),
        ([RIGHT, BROKEN], [BROKEN, RIGHT], "sums.ipynb holds another `double`"),
        (
            [("double", RIGHT, "markdown")],
            [RIGHT],
            f"`double`: the cell 'double' is a Markdown {ASLEEP}",
        ),
    ],
    ids=["edited and not run", "deleted", "renamed", "run out of order", "made text"],
)
def test_what_would_be_handed_in_is_something_else(folder, saved, runs, said):
    """Does a green report say that it is of other code than the file's?"""
    report = played(folder, saved, *runs, CHECK, later=True)
    assert DIFFERS in report
    assert said in report


def test_a_file_that_is_older_is_not_saved_yet(folder):
    """Is somebody who has just run a cell told no more than that?"""
    report = played(folder, ["double = None"], RIGHT, CHECK)
    assert report.endswith("public checks pass.\nNot saved yet: sums.ipynb is older than this.\n")


def test_a_value_that_an_older_function_has_made_is_told(folder):
    """Is `answer` to be computed again, once `double` is another one?"""
    made = "answer = double(21)"
    cells = [RIGHT.replace("x + x", "2 * x"), made]
    report = played(folder, cells, RIGHT, made, cells[0], "check('answer')", later=True)
    assert "`answer` was made before `double` was changed: run its cell again." in report
    report = played(folder, cells, RIGHT, made, *cells, "check('answer')", later=True)
    assert report.endswith("1 of 1 public checks pass.\n")


def test_without_a_file_that_is_said_once(folder):
    """Does somebody in Colab hear what to do, and not each time?"""
    (folder / "sums.ipynb").mkdir()
    (folder / "other.ipynb").mkdir()
    first = f"{RIGHT}{CHECK}"
    file = nbformat.v4.new_notebook()
    sources = ("from check import check", RIGHT, CHECK, CHECK)
    file.cells = [nbformat.v4.new_code_cell(source) for source in sources]
    NotebookClient(file, resources={"metadata": {"path": str(folder)}}, timeout=60).execute()
    said = "Your file is not here to compare: restart and run all cells before you hand in.\n"
    assert [said in file.cells[n].outputs[0].text for n in (2, 3)] == [True, False], first


# --- loops -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "loop",
    [
        "while True:\n    pass",
        "while True:\n    try:\n        x = 1\n    except BaseException:\n        pass",
        "def f():\n    while True:\n        g()\ndef g():\n    return\nf()",
    ],
    ids=["plain", "that catches", "in a function"],
)
def test_a_loop_in_any_cell_stops_and_says_where(folder, loop):
    """Does a cell without a check stop, too, and is what was there before kept?"""
    setup = "import check as module\nmodule.CPU_SECONDS = 0.5\n" + RIGHT
    report = played(folder, [RIGHT], setup, loop, "double(1)\nprint('kept')")
    assert report == "kept\n"
    report = played(folder, [RIGHT], setup, loop)
    assert report.startswith("Stopped after 0.5 seconds of computing: is there a loop")
    assert "line " in report


# --- in a terminal ---------------------------------------------------------------------------


LIMITED = "import check, pytest; check.CPU_SECONDS = check.SECONDS = 0.5; "
RUN = "pytest.main(['-p', 'no:cacheprovider'])"


def test_a_loop_in_a_cell_ends_pytest_with_a_word(folder):
    """Is what runs named before, and the line in which the loop is?"""
    loop = "while True:\n    x = 1"
    write_notebook(
        folder / "sums.ipynb", ("try", loop), ("double", f"{RIGHT}{loop}"), ("answer", loop)
    )
    done = python(folder, "-c", LIMITED + "check.PATIENCE = 100; " + RUN)
    assert done.stdout.partition("Running the cells of sums.ipynb ...\n")[1]
    assert "1 failed, 2 passed" in done.stdout
    assert "the cell that should define `answer` stopped with" not in done.stdout
    assert "`answer` is not defined" in done.stdout


def test_a_loop_that_no_alarm_can_stop_ends_pytest(folder):
    """Is a loop inside of a function of Python's told with its line, and not waited for?"""
    endless = "import itertools\nall(itertools.repeat(1))"
    write_notebook(folder / "sums.ipynb", ("try", endless), ("double", RIGHT))
    done = python(folder, "-c", LIMITED + RUN)
    assert done.returncode == 1
    assert 'File "sums.ipynb, cell try", line 2 in <module>' in done.stderr


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
    done = terminal(folder, "-rA")
    assert "3 passed" in done.stdout, done.stdout
    assert "chatter" not in done.stdout
    assert (folder / "runs").read_text() == "!"


def test_pytest_says_what_stopped_the_cell_that_should_define_a_name(folder):
    """Is the reason for a missing name the one to look at?"""
    write_notebook(
        folder / "sums.ipynb",
        ("double", "x = 1\ndouble = x / 0"),
        ("answer", "if True:\n    answer = = 42"),
    )
    done = terminal(folder)
    assert "3 failed" in done.stdout
    assert (
        "the cell that should define `double` stopped with\n"
        "ZeroDivisionError: division by zero\n"
        "in the cell, line 2: double = x / 0\n"
        "Save the notebook, then run pytest again."
    ) in done.stdout
    assert "SyntaxError: invalid syntax in line 2: answer = = 42" in done.stdout
    assert "check.py" not in done.stdout


@pytest.mark.parametrize(
    ("names", "found"), [([], "none"), (["b", "a"], "a.ipynb, b.ipynb")], ids=["none", "two"]
)
def test_pytest_wants_exactly_one_notebook(folder, names, found):
    """Are doubts about which notebook is meant voiced, and not decided?"""
    for name in names:
        write_notebook(folder / f"{name}.ipynb", ("double", RIGHT))
    done = terminal(folder)
    assert done.returncode == 1
    assert "exactly one notebook in" in done.stdout
    assert f"found: {found}.\nLeave the one that you hand in" in done.stdout


@pytest.mark.parametrize("content", ["{", "[]", json.dumps({"worksheets": []})])
def test_pytest_explains_a_notebook_that_cannot_be_read(folder, content):
    """Is a damaged file told apart from wrong code?"""
    (folder / "sums.ipynb").write_text(content, encoding="utf-8")
    done = terminal(folder)
    assert "sums.ipynb is not a notebook that can be read" in done.stdout
    assert "Open it in JupyterLab, save it, and try again." in done.stdout


# --- with the assignments of the course ------------------------------------------------------


def handed_out(name: str, folder: Path) -> Path:
    """Fill a student's folder for an assignment, with the reference solution in it."""
    for place in ("release", "source"):
        shutil.copytree(ROOT / place / name, folder, dirs_exist_ok=True)
    return folder


@pytest.fixture
def tic_tac_toe(tmp_path: Path) -> Path:
    """A student's folder for tic-tac-toe, with the reference solution in it."""
    return handed_out("tic-tac-toe", tmp_path)


@pytest.mark.parametrize("name", course.assignments(ROOT))
def test_the_reference_solution_passes_all_public_checks(tmp_path, name):
    """Is the solution that students never see right by the checks that they see?"""
    done = terminal(handed_out(name, tmp_path))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", course.assignments(ROOT))
def test_a_blank_notebook_fails_every_public_check(tmp_path, name):
    """Is nothing given for nothing?"""
    folder = handed_out(name, tmp_path)
    shutil.copy(course.find_assignment(ROOT, name).release, folder)
    done = terminal(folder)
    assert done.returncode == 1
    last_line = done.stdout.splitlines()[-1]
    assert "failed" in last_line and "passed" not in last_line


LEAF = "return self.game.utility(state, player)"
END = "        ### END SOLUTION\n"
BEST = """return max(
            self.game.actions(state),
            key=lambda move: self.min_value(self.game.result(state, move), player),
        )"""
SLIPS = {
    "the board of the caller is changed": (
        "TicTacToe",
        ("board = {**state.board, move: state.to_move}", "board = state.board; board[move] = 'X'"),
        "After result(state, (1, 1)) the board of this state itself has become",
    ),
    "rows and columns are swapped": (
        "TicTacToe",
        (
            "for row in range(h) for column in range(v)",
            "for row in range(v) for column in range(h)",
        ),
        "on the board with 2 rows and 5 columns the moves are",
    ),
    "a leaf is valued for the side to move": (
        "MiniMax",
        (LEAF, "return self.game.utility(state, self.game.to_move(state))"),
        "X O X\n        X . O\n        . . O\n    Here X is to move and your player chose (1, 1)",
    ),
    "a pair is returned": (
        "MiniMax",
        (LEAF, f"{LEAF}, None"),
        "A pair is used as a number there: take the number out of it first.",
    ),
    "the state is looked into": (
        "MiniMax",
        ("self.game.to_move(state)", "state.to_move"),
        "`state` is 'A', a text: ask self.game.to_move(state).",
    ),
    "the value in place of the move": (
        "MiniMax",
        (BEST, "return self.max_value(state, player)"),
        "it returned 3, which is the value of the state: asked is the move, 'a1'.\n✔ `max",
    ),
    "no return": (
        "MiniMax",
        (BEST, BEST.replace("return", "self.move =")),
        "it returned None: does each way through the function end with `return`?\n✔ `max",
    ),
    "print in place of return": (
        "MiniMax",
        (BEST, BEST.replace("return max(", "print(max(") + ")"),
        "    It printed a1 and returned None: return it.\n✔ `max",
    ),
    "a value without a return": (
        "MiniMax",
        (f"return value\n{END}\n    def min", f"\n{END}\n    def min"),
        "max_value('A', 'MAX') returned None: does each way through the function end with",
    ),
    "a pair in place of the move": (
        "AlphaBeta",
        ("return best_move\n", "return alpha, best_move\n"),
        "it returned (3, 'a1'): asked is the move alone, 'a1'.\n✔ `max",
    ),
    "a dict in place of a state": (
        "TicTacToe",
        ("return GameState(", "return dict("),
        ", 'moves': [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]}, a dict: "
        "asked is a GameState.",
    ),
    "initial without self": (
        "TicTacToe",
        ("self.initial = GameState", "initial = GameState"),
        "\n    Set self.initial in `__init__`.\n✘ A move puts a piece on the board and passes the "
        "turn (as above)",
    ),
    "a board is returned": (
        "TicTacToe",
        ("print(*(state.board.get", "return ' '.join((state.board.get"),
        "display printed nothing, and returned a text: print it.",
    ),
    "eval_fn takes one argument": (
        "AlphaBeta",
        ("self.eval_fn(state)", "self.eval_fn(state, player)"),
        "`eval_fn` is called as eval_fn(state).",
    ),
    "the arguments are swapped": (
        "MiniMax",
        (LEAF, "return self.game.utility(player, state)"),
        "`utility` is called as utility(state, player); here as Fig52Game.utility(self, 'MAX',",
    ),
    "a game of its own": (
        "MiniMax",
        (
            "player = self.game.to_move",
            "self.game = TicTacToe()\n        player = self.game.to_move",
        ),
        "A TicTacToe of your own is asked about 'A': ask the game that you are given.",
    ),
    "self is forgotten in a call": (
        "MiniMax",
        ("lambda move: self.min_value", "lambda move: min_value"),
        "Write self.min_value: it belongs to the object.",
    ),
    "self is forgotten in a head": (
        "MiniMax",
        ("def min_value(self, ", "def min_value("),
        "Write `def min_value(self, state, player)`: a method has a `self`.",
    ),
    "self is forgotten in the head of what a check asks": (
        "TicTacToe",
        ("def actions(self, ", "def actions("),
        "Write `def actions(self, state)`: a method has a `self`.",
    ),
    "squares are lists": (
        "TicTacToe",
        ("return [*state.moves]", "return [[*square] for square in state.moves]"),
        "A move in actions(initial) is [0, 0]: write a square as (0, 0), no list.",
    ),
    "a name of Python's own is taken": (
        "MiniMax",
        ("class MiniMax(", "max = 0\n\n\nclass MiniMax("),
        "`max` is 0 there and no longer Python's own: call your value something else, and run `del",
    ),
    "nothing is pruned": (
        "AlphaBeta",
        ("                return value\n", "                pass\n"),
        "C2 and C3 cannot matter any more.",
    ),
    "no move when all lose": (
        "AlphaBeta",
        ("best_move is None or value > alpha", "value > max(alpha, -1)"),
        "for a move is needed though all lose",
    ),
    "the depth is off by one": (
        "AlphaBeta",
        ("alpha, infinity, 1)", "alpha, infinity, 0)"),
        "B, C and D are one ply away.",
    ),
    "a finished game is estimated": (
        "AlphaBeta",
        (LEAF, "return self.eval_fn(state)"),
        "It seems to have asked eval_fn about them",
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_the_public_checks_catch_common_slips(tic_tac_toe, slip):
    """Does each slip get an explanation in terms of the game?"""
    cell, (right, wrong), reason = SLIPS[slip]
    notebook = nbformat.read(tic_tac_toe / "tic-tac-toe.ipynb", as_version=4)
    sources = {part.id: part.source for part in notebook.cells if part.cell_type == "code"}
    assert right in sources[cell]
    sources[cell] = sources[cell].replace(right, wrong)
    needed = ["imports", "TicTacToe", "MiniMax", "AlphaBeta"]
    code = "\n".join([*(sources[name] for name in needed), f"try_check({cell!r})"])
    assert reason in live(tic_tac_toe, code)


TREE_SLIPS = {
    "a text for a number": (
        "two_ply",
        ("two_ply_value = 100", "two_ply_value = '100'"),
        "two_ply_value is '100', a text: asked is a number.",
    ),
    "a key is forgotten": (
        "fig52",
        ('"C": 3, "D": 3}', '"C": 3}'),
        "fig52_alpha is {'C': 3}: its keys should be 'C', 'D'.",
    ),
    "an id without quotes": (
        "my_tree",
        ("### END SOLUTION", "student_id = 1234567"),
        'student_id is 1234567, a number: asked is your id between quotes, "...".',
    ),
    "a number from another row": (
        "my_tree",
        ("row + 3]) for row", "row + 3]) + 100 for row"),
        "but its row has [",
    ),
    "the value is returned": (
        "minmax_decision",
        ("return max(game", "return max_value(state) or max(game"),
        "minmax_decision('A', game) returned 3, which is the value of the state: asked is the "
        "move, 'a1'.\n✘",
    ),
    "the state is looked into": (
        "minmax_decision",
        ("player = game.to_move(state)", "player = state.to_move"),
        "`state` is 'A', a text: ask game.to_move(state).",
    ),
    "nothing is pruned": (
        "alpha_beta_search",
        ("                return value\n", "                pass\n"),
        "C2 and C3 cannot matter any more.",
    ),
    "the player swaps its arguments": (
        "alpha_beta_search",
        ("return alpha_beta_search(state, game)", "return alpha_beta_search(game, state)"),
        "`game` is 'A' there, and `state` has `to_move`: are they swapped?",
    ),
    "the leaves that are looked at are counted": (
        "order",
        ("append(tree.skipped())", "append(len(tree.seen))"),
        "One of them holds how many are looked at, not skipped.",
    ),
}


PAIR = "a pair (value, move)"
LOOKS = [  # what came back, an example of what was asked, and what is said
    ((3, "a1", "f() returned", "the move", -3), "3, which is the value of the state: asked is"),
    ((4, "a1", "f() returned", "the move", 3), "4, a number: asked is the move."),
    ((5, 0, "f() returned", "the move", 3, [0, 1]), "5, a number: asked is the move."),
    ((None, 0, "f() returned", "the move"), "None: does each way through the function end with"),
    ((None, 0, "x is", "the move"), "None: asked is the move."),
    (((3, "a1"), "a1", "f() returned", "the move"), "(3, 'a1'): asked is the move alone, 'a1'."),
    (((1, (2, 0)), (2, 0), "f() returned", "the move"), "(1, (2, 0)): asked is the move alone,"),
    ((0, (3, 0), "f() returned", PAIR), "0, a number: asked is a pair (value, move)."),
    ((("a", 3), (3, "a"), "f() returned", PAIR), "('a', 3): the other way round, please; asked"),
    (
        (((3, 1), 0), (3, "a"), "f() returned", PAIR),
        "a part of it is (3, 1), a pair: asked is a num",
    ),
    (({}, [0], "x is"), "{}, a dict: asked is a list of 1."),
    (([1, 2], 0, "x is"), "[1, 2], a pair: asked is a number."),
    (([1, "2"], [0, 0], "x is"), "[1, '2']; a part of it is '2', a text: asked is a number."),
    (({"a": 1}, {"a": 0, "b": 0}, "x is"), "{'a': 1}: its keys should be 'a', 'b'."),
    (({"a": "1"}, {"a": 0}, "x is"), "{'a': '1'}; a part of it is '1', a text: asked is a number."),
    ((True, 0, "x is"), "True, a bool: asked is a number."),
    ((len, 0, "x is"), "<built-in function len>, a builtin_function_or_method: asked is a number."),
    ((int, 0, "x is"), "<class 'int'>, a class: asked is a number."),
]


@pytest.mark.parametrize(("arguments", "said"), LOOKS)
def test_what_came_back_is_named_by_its_type(arguments, said):
    """Is a wrong type told before anything else, and what was asked?"""
    with pytest.raises(check.WrongType) as caught:
        check.look(*arguments)
    assert str(caught.value).startswith(arguments[2])
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [
        (4, 0, "", "the move", 4, [4, 5]),
        (fractions.Fraction(1, 2), 0, ""),
        ((3, None), (0, 0), ""),
        ([3, 4], (0, 0), ""),
        (collections.defaultdict(int, a=1), {"a": 0}, ""),
    ],
)
def test_a_right_type_leaves_the_word_to_the_check(arguments):
    """Is a value that is asked for, or a list in place of a tuple, no matter of types?"""
    assert check.look(*arguments) == ""


def test_another_cell_is_blamed_only_where_its_checks_failed(tic_tac_toe):
    """Is a note on TicTacToe left out while nothing is known against it?"""
    notebook = nbformat.read(tic_tac_toe / "tic-tac-toe.ipynb", as_version=4)
    sources = {part.id: part.source for part in notebook.cells if part.cell_type == "code"}
    wrong = sources["MiniMax"].replace("return max(", "return min(")
    broken = "class Fewer(TicTacToe):\n    display = None\n"
    code = [sources["imports"], sources["TicTacToe"], wrong, "try_check('MiniMax')"]
    note = "(This check uses your TicTacToe, which has failing checks: mend them first.)"
    assert note not in live(tic_tac_toe, "\n".join(code))
    code[3:] = [broken, "kept, TicTacToe = TicTacToe, Fewer", "try_check('TicTacToe')", code[3]]
    assert note in live(tic_tac_toe, "\n".join(code))


def test_what_is_red_says_nothing_of_what_green_does_not_cover(folder):
    """Is the sentence on green left out where something else is to be done?"""
    (folder / "test_sums.py").write_text('NOT_COVERED = "halves"\n' + CHECKS, encoding="utf-8")
    assert "halves" not in live(folder, "def double(x):\n    return 2\ntry_check('double')")


@pytest.mark.parametrize("slip", TREE_SLIPS)
def test_the_public_checks_of_game_trees_catch_common_slips(tmp_path, slip):
    """Is the student told what is wrong with the form of a number, or with a function?"""
    cell, (right, wrong), reason = TREE_SLIPS[slip]
    notebook = nbformat.read(handed_out("game-trees", tmp_path) / "game-trees.ipynb", as_version=4)
    sources = {part.id: part.source for part in notebook.cells if part.cell_type == "code"}
    assert right in sources[cell]
    sources[cell] = sources[cell].replace(right, wrong)
    kept = [name for name in sources if not name.startswith(("test_", "try-"))]
    before = kept[: kept.index(cell) + 1]
    code = "\n".join([*(sources[name] for name in before), f"try_check({cell!r})"])
    assert reason in live(tmp_path, code)
