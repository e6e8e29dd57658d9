"""Ask students about their own code: sheets of questions whose answers come from running it."""

import ast
import json
import random
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
import small_course as small
from formgrading import run

from referee import course
from referee.commands import viva
from referee.marks import entries
from referee.model import Cell, Limits
from referee.proof.viva import calls, sheet
from referee.proof.viva.calls import CallRun, is_short
from referee.proof.viva.sheet import all_questions, choices, one_line, own_code, page

SQUARE = """\
def square(n):
    total = 0
    for i in range(abs(n)):  # so often
        if i % 2 == 0:
            total += abs(n)
        else:
            total = total + abs(n)
    return total"""
DOUBLE = """\
def double(n):
    if n == 0:
        return 0
    if n < 0:
        below = double(n + 1)
        return below - 2
    below = double(n - 1)
    return below + 2"""
LIMITS = Limits(unsafe=True)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graded class: two whose code gives questions, one whose is no code, one without a file."""
    root = small.make(tmp_path_factory.mktemp("viva"))
    with (root / "nbgrader_config.py").open("a") as settings:
        settings.write("\nc.Course.packages = ['numpy']\n")
    small.hand_in(root, "ada", square=SQUARE, double=DOUBLE)
    small.hand_in(root, "bob", square=SQUARE.replace("total", "sum_"), double=DOUBLE)
    small.hand_in(root, "eve", square="def square(n:\n <script>", double="raise ValueError('&')")
    small.hand_in(root, "mal", b"no notebook")
    small.grade(root, status=1)
    return root


@pytest.fixture(scope="module")
def written(root: Path) -> str:
    """What `referee viva` says of the class."""
    return run(root, "referee", "viva", small.NAME, "--workers", "1")


def cells(*sources: str) -> list[Cell]:
    return [Cell(source, f"cell {number}") for number, source in enumerate(sources)]


def made(root: Path, student: str, *sources: str) -> sheet.Sheet:
    """Return the sheet of a student with some cells."""
    task = course.Course(root).find(small.NAME).of(student)
    return sheet.sheet(task, cells(*sources), LIMITS)


# --- the command -----------------------------------------------------------------------------


def test_everybody_has_a_sheet_or_a_sentence(root: Path, written: str) -> None:
    """Are there five questions where there is code, and else the reason, on the pages, too?

    Only the page of answers tells them, one for each question.
    """
    assert "4 students, 2 with five questions." in written
    assert "Fewer: eve. This work has no functions of its own" in written
    assert "Fewer: mal. The file could not be read" in written
    whole = (root / f"viva-{small.NAME}.html").read_text("utf-8")
    counts = [text.count('<ol class="options">') for text in whole.split("<section>")]
    assert counts == [0, 5, 5, 0, 0]
    assert "could not be read" in whole
    answers = (root / f"viva-{small.NAME}-answers.html").read_text("utf-8")
    row = re.search(r"ada</th>(.*)</tr>", answers)
    assert row is not None
    assert len(re.findall(r"<td>[ABCD] \(\d+\)</td>", row[1])) == 5


def test_the_same_sheet_comes_again(root: Path, written: str) -> None:
    """Is a sheet the same when it is made once more, and others for another student?

    The files lie in the course's folder, wherever the command is run, and JSON calls them so. Who
    has no result is told what to do.
    """
    options = ("--student", "ada", "--workers", "1", "--json", "-")
    said = run(root / "source", "referee", "viva", small.NAME, *options)
    assert "1 student, 1 with five questions." in said
    assert '"letters"' in said and f'"viva-{small.NAME}-ada.html"' in said
    alone = (root / f"viva-{small.NAME}-ada.html").read_text("utf-8")
    (sheet_,) = re.findall(r"(?s)<section>.*?</section>", alone)
    assert sheet_ in (root / f"viva-{small.NAME}.html").read_text("utf-8")
    ada, bob = (made(root, name, SQUARE, DOUBLE).questions for name in ("ada", "bob"))
    assert {one.text for one in ada} != {one.text for one in bob}
    said = run(root, "referee", "viva", small.NAME, "--student", "zoe", status=2)
    assert "nothing is kept of zoe and numbers" in said


def test_a_fault_in_one_sheet_is_that_sheets(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the others have theirs, and does the one say what has happened?"""
    real = viva.sheet

    def failing(task: course.Assignment, *rest: Any) -> sheet.Sheet:
        if task.student == "ada":
            raise ValueError("an array has no truth")
        return real(task, *rest)

    monkeypatch.setattr(viva, "sheet", failing)
    records = entries.get(root, small.NAME)
    task = course.Course(root).find(small.NAME)
    found = {one.student: one for one in viva.ask(task, records, LIMITS, 1)}
    assert found["ada"].why == "Asking this code has failed here: an array has no truth."
    assert len(found["bob"].questions) == 5


# --- what is asked ---------------------------------------------------------------------------


def test_where_there_is_nothing_to_ask_it_is_said(root: Path) -> None:
    """Is there no question about the lines of the release, and few about next to nothing?"""
    task = course.Course(root).find(small.NAME)
    given = [cell["source"] for cell in json.loads(task.release.read_text("utf-8"))["cells"]]
    found = made(root, "ada", *map("".join, given))
    assert (found.questions, found.why) == ([], sheet.NO_CODE)
    found = made(root, "ada", "def square(n):\n    return n")
    assert len(found.questions) < 5
    assert found.why in (sheet.FEW, sheet.NO_CALLS)


def test_questions_come_from_easy_to_hard_and_differ(root: Path) -> None:
    """Do they rise in the lines executed, with no family more than twice, and one right option?

    Each family finds something in the sheets of a few students. Code that looks like a page is
    shown as code.
    """
    hostile = DOUBLE.replace("return 0", 'return len("</code><script>alert(1)</script>") * 0')
    sheets = [made(root, f"s{number}", SQUARE, hostile) for number in range(4)]
    for found in (one.questions for one in sheets):
        assert [one.difficulty for one in found] == sorted(one.difficulty for one in found)
        families = [one.family for one in found]
        assert max(map(families.count, families)) <= sheet.OF_A_FAMILY
        for one in found:
            assert len(set(one.options)) == len(one.options) >= 3
            assert 0 <= one.answer < len(one.options)
    assert len({one.family for found in sheets for one in found.questions}) == 4
    text = page(course.Course(root).find(small.NAME), sheets)
    assert "<script" not in text and "&lt;script&gt;" in text


def test_a_cell_that_nobody_could_read_costs_no_time() -> None:
    """Is a very long function left out, and are the others asked about, magics and warnings too?"""
    long = "def long(n):\n" + "    n += 1\n" * 5000 + "    return n\n"
    with warnings.catch_warnings(action="error"):
        sources, _, _ = own_code(cells(SQUARE, long, f'%pylab\n{DOUBLE}\nword = "\\d"'), set())
    assert "def long" not in "".join(sources.values()) and len(sources) == 2


def test_options_differ_in_value_and_in_print() -> None:
    """Are 1, 1.0 and True one option, and texts another?"""
    chance = random.Random(1)
    made = choices(chance, 1, [1.0, True, 2, 2, "1", 3])
    assert made is not None
    options, place = made
    assert sorted(options) == [f"<code>{one}</code>" for one in ("&#39;1&#39;", "1", "2", "3")]
    assert options[place] == "<code>1</code>"
    assert choices(chance, 1, [True, 2]) is None
    infinity = float("inf")
    assert choices(chance, 1, [infinity, -infinity]) is None


def options(family: str, runs: dict[str, CallRun], source: str = "") -> list[set[str]]:
    """Return the options of the questions of a family about runs of calls of this code."""
    _, _, lines = own_code([Cell(source, "c")], set())
    found = all_questions(lines, runs, random.Random(1))
    return [{*one.options} for one in found if one.family == family]


def test_wrong_options_cannot_be_left_out_at_a_glance() -> None:
    """Do they come from what the call meets, or what other calls return, and is else none asked?

    A variable is asked about that had several values when its line was executed, a line that some
    call of its function leaves out.
    """
    met = {("c", 2): {"v": [3, 7, 9], "w": [50, 60]}}
    texts = [{f"<code>{n}</code>" for n in each} for each in ((3, 7, 9), (1, 2, 3, 4))]
    assert options("returned", {"f(1)": CallRun(7, {}, met)}) == texts[:1]
    calls = {f"f({n})": CallRun(n, {}, {}) for n in (1, 2, 3)}
    assert len(options("returned", calls)) == 3
    assert options("returned", {"f(1)": calls["f(1)"], "g(2)": calls["f(2)"]}) == []
    noted = {("c", 2): {"a": [4, 4, 4, 4], "b": [1, 2, 3, 4], "_": [1, 2, 3, 4]}}
    runs = {"f(1)": CallRun(0, {("c", 2): 4}, noted)}
    assert options("variable", runs, "def f(a):\n    b += a\n") == texts[1:]
    source = (
        "def f(n):\n    a = 1\n    if n:\n        b = 2\n    else:\n        c = 3\n    return a"
    )
    ran = {"f(0)": (2, 6, 7), "f(1)": (2, 4, 7)}
    runs = {call: CallRun(1, {("c", n): 1 for n in ns}, {}) for call, ns in ran.items()}
    assert options("unreached", runs, source) == []


def test_a_generator_is_asked_for_all_its_values() -> None:
    """Are calls in `list` and the like taken with it, and is it known whose function is called?"""
    tree = ast.parse("list(f(3))\nprint(f(4))\nlen(g(1)) == 2\nsorted(A(2).b(1))")
    found = [ast.unparse(one) for node in tree.body for one in calls._outermost(node, {"f", "A"})]
    assert found == ["list(f(3))", "f(4)", "sorted(A(2).b(1))"]
    assert calls.function_of("A(1).b(2)") == "Ab" != calls.function_of("A(1).c(2)")
    assert calls.function_of("list(f(3))") == "f"


# --- runs ------------------------------------------------------------------------------------

UNSTEADY = {
    "random": "import random\ndef f(n):\n    return random.random()",
    "counter": "seen = []\ndef f(n):\n    seen.append(n)\n    return len(seen)",
    "memory": (
        "import functools\n@functools.cache\ndef g():\n    return 1\ndef f(n):\n    return g()"
    ),
    "set": "def f(n):\n    return ' '.join({'one', 'two', 'three', 'four', 'five'})",
    "object": "def f(n):\n    return object()",
    "print": "class A:\n    pass\ndef f(n):\n    return repr(A())",
    "raises": "def f(n):\n    raise ValueError",
    "array": "import numpy\ndef f(n):\n    return numpy.arange(n)",
    "long": "def f(n):\n    return list(range(100))",
}
ENDING = {
    "kills": "import os\ndef f(n):\n    os._exit(0)",
    "swallows": (
        "def f(n):\n    while True:\n        try:\n            while True:\n                pass\n"
        "        except BaseException:\n            pass"
    ),
}


def test_what_is_not_the_same_again_is_no_answer(root: Path) -> None:
    """Is nothing asked whose answer is drawn, kept, endless, an object or an error?

    Of all other calls it is known how often each line was executed, and what was there before.
    """
    task, limits = course.Course(root).find(small.NAME), Limits(unsafe=True, check_cpu_seconds=0.5)
    sources = {name: f"{text}\nf_{name} = f" for name, text in (UNSTEADY | ENDING).items()}
    cells = [
        Cell(source, f"cell {name}") for name, source in (sources | {"square": SQUARE}).items()
    ]
    labels = [cell.label for cell in cells]
    texts = [f"f_{name}({number})" for name in UNSTEADY for number in (1, 2)]
    runs = calls.run(task, cells, limits, labels, [*texts, "square(-3)"])
    assert [*runs] == ["square(-3)"]
    found = runs["square(-3)"]
    assert found.value == 9
    assert (found.lines["cell square", 5], found.lines["cell square", 7]) == (2, 1)
    assert found.variables["cell square", 5]["total"] == [0, 6]
    assert found.variables["cell square", 7]["total"] == [3]
    for name in ENDING:
        assert calls.run(task, cells, limits, labels, [f"f_{name}(1)", "square(-3)"]) == {}


def test_a_value_is_shown_in_one_way() -> None:
    """Are sets in order, and is an object, or a long text, nothing?"""
    assert one_line({3, 1, 2}) == "{1, 2, 3}"
    assert one_line([(1,), {"a": None}, (), [2, 3]]) == "[(1,), {'a': None}, (), [2, 3]]"
    assert is_short([{1}, {"a": None}])
    hidden = object(), [object()], {1: object()}, "a" * 99
    assert not any(map(is_short, hidden))
