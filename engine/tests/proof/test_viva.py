"""Ask students about their own code: sheets of questions whose answers come from running it."""

import ast
import contextlib
import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import small_course as small
from formgrading import rows, run
from markupsafe import Markup

from referee import course
from referee.course import CourseError
from referee.doors import ignored, quiz
from referee.doors import viva as door
from referee.doors.cli import viva as command
from referee.model import Cell, Limits
from referee.proof.viva import calls, sheet
from referee.proof.viva.edits import Edit, edits
from referee.proof.viva.page import page
from referee.proof.viva.questions import (
    FAMILIES,
    StudentProgram,
    VivaQuestion,
    changed,
    choices,
    own_lines,
    returned,
    unreached,
)
from referee.proof.viva.runs import CallRun, Laboratory, laboratory

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
    task = course.find_assignment(root, small.NAME).of(student)
    return sheet.sheet(task, cells(*sources), LIMITS)


# --- the command -----------------------------------------------------------------------------


def test_everybody_has_a_sheet_or_a_sentence(root: Path, written: str) -> None:
    """Are there five questions where there is code, and else the reason, on the pages, too?"""
    assert "4 students, 2 with five questions." in written
    assert "Fewer: eve. This work has no functions of its own" in written
    assert "Fewer: mal. The file could not be read" in written
    for student, count in {"ada": 5, "bob": 5, "eve": 0, "mal": 0}.items():
        text = (root / "viva" / student / f"{small.NAME}.html").read_text("utf-8")
        assert text.count('<ol class="options">') == count
    whole = (root / f"viva-{small.NAME}.html").read_text("utf-8")
    assert whole.count("<section>") == 4
    assert "could not be read" in whole


def test_answers_are_on_a_page_of_their_own(root: Path, written: str) -> None:
    """Does only the page of answers tell them, one for each question?"""
    answers = (root / f"viva-{small.NAME}-answers.html").read_text("utf-8")
    row = re.search(r"ada</th>(.*)</tr>", answers)
    assert row is not None
    assert len(re.findall(r"<td>[ABCD] \(\d+\)</td>", row[1])) == 5


def test_the_same_sheet_comes_again(root: Path, written: str) -> None:
    """Are the files the same when they are made once more, and others for another student?"""
    place = root / "viva" / "ada" / f"{small.NAME}.html"
    before = place.read_bytes()
    said = run(
        root, "referee", "viva", small.NAME, "--student", "ada", "--workers", "1", "--json", "-"
    )
    assert place.read_bytes() == before
    assert "1 student, 1 with five questions." in said
    assert '"letters"' in said
    assert (root / f"viva-{small.NAME}-ada.html").read_bytes() == before
    ada, bob = (made(root, name, SQUARE, DOUBLE).questions for name in ("ada", "bob"))
    assert {one.text for one in ada} != {one.text for one in bob}


def test_many_names_make_no_name_that_is_too_long() -> None:
    """Is a file called by some names, each once, and else by how many they are?"""
    names = [f"student{number}" for number in range(60)]
    assert command._whose(["ada", "bob"]) == "-ada-bob"
    assert command._whose(names) == "-student0-and-59-more"


def test_bad_input_is_one_sentence(root: Path, tmp_path: Path) -> None:
    """Is it said what to do about an unknown student, and work that was never graded?"""
    said = run(root, "referee", "viva", small.NAME, "--student", "zoe", status=2)
    assert "zoe has no result for numbers" in said
    assert "referee grade" in said
    other = small.make(tmp_path)
    assert "referee grade numbers" in run(other, "referee", "viva", small.NAME, status=2)


@pytest.mark.pages
def test_pages_are_printed(root: Path, written: str) -> None:
    """Are the two pages of the class there as PDF?"""
    run(root, "referee", "viva", small.NAME, "--pdf")
    for name in ("viva-numbers", "viva-numbers-answers"):
        assert (root / f"{name}.pdf").read_bytes().startswith(b"%PDF")


def test_without_a_browser_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """And that another browser can print the pages?"""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CourseError, match=r"apt-get install chromium.* without --pdf"):
        door.browser()


def test_sheets_are_about_persons(root: Path, written: str, tmp_path: Path) -> None:
    """Does git not take them, and does `forget` erase a student's, and the pages of the class?"""
    own = tmp_path / "course"
    shutil.copytree(root, own)
    ignored.add(own)
    lines = (own / ".gitignore").read_text("utf-8").splitlines()
    assert {"/viva/*", "/viva-*.html", "/viva-*.pdf", "viva.json"} <= set(lines)
    (own / f"viva-{small.NAME}.pdf").write_bytes(b"%PDF")
    answers = own / "tests" / "hidden" / small.NAME / "viva.json"
    keys = [hashlib.sha256(name.encode()).hexdigest() for name in ("ada", "bob")]
    answers.write_text(json.dumps(dict.fromkeys(keys, "ABCDA")))
    run(own, "referee", "forget", "bob", "--yes")
    assert not (own / "viva" / "bob").exists()
    assert not (own / f"viva-{small.NAME}.pdf").exists()
    assert not [file for file in own.glob("viva-*") if "bob" in file.read_text("utf-8")]
    assert list(json.loads(answers.read_bytes())) == keys[:1]


def test_answers_are_graded_in_the_next_notebook(root: Path, written: str, tmp_path: Path) -> None:
    """Do the letters of one's own sheet earn the points, and another's not, from end to end?"""
    course_ = tmp_path / "course"
    shutil.copytree(root, course_)
    said = run(course_, "referee", "viva", small.NAME, "--quiz", "next", status=2)
    assert "referee new next" in said
    run(course_, "referee", "new", "next")
    for _ in range(2):  # the second time in place of the first
        said = run(course_, "referee", "viva", small.NAME, "--quiz", "next", "--workers", "1")
    assert "Next: `referee release next`" in said
    run(course_, "referee", "release", "next")
    task = course.find_assignment(course_, "next")
    letters = json.loads((task.hidden / "viva.json").read_bytes())
    right = {name: letters[hashlib.sha256(name.encode()).hexdigest()] for name in ("ada", "bob")}
    others = right["ada"].translate(str.maketrans("ABCD", "BCDA"))
    given = {"ada": ", ".join(right["ada"]).lower(), "bob": others, "zoe": "AAAAA", "mal": "AAAAA"}
    for name, answers in given.items():
        notebook = json.loads(task.release.read_text("utf-8"))
        (cell,) = (one for one in notebook["cells"] if one["id"] == "viva")
        cell["source"] = f"viva_answers = {answers!r}"
        file = course_ / "submitted" / name / "next" / "next.ipynb"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(notebook))
    said = run(course_, "referee", "grade", "next", "--workers", "1", status=1)
    assert "as it was released" not in said
    marks = {name: cells["test_viva"] for name, cells in rows(course_, "next").items()}
    wrong = sum(a == b for a, b in zip(others, right["bob"], strict=True))
    assert marks["ada"][0] == 5
    assert marks["mal"][2]  # who had no sheet waits for a human, too
    assert marks["bob"][0] == wrong
    assert marks["zoe"][2]  # it waits for a human
    run(course_, "referee", "year", str(tmp_path / "archive"))
    shutil.copytree(tmp_path / "archive" / "submitted" / "ada", course_ / "submitted" / "ada")
    run(course_, "referee", "grade", "next", "--workers", "1", status=1)
    assert rows(course_, "next")["ada"]["test_viva"][2]  # whose sheet is in the archive


@pytest.mark.parametrize(
    ("letters", "answers", "points"),
    [("ABCDA", "abcda", 5), ("AB", "AB", 5), ("AB", "A", 3), ("AB", "DBCDA", 2), ("A", "B", 0)],
)
def test_short_sheets_give_no_points_for_nothing(
    tmp_path: Path, letters: str, answers: str, points: int
) -> None:
    """Is each point for an answer, also where a sheet has less than five questions?"""
    file = tmp_path / "test_quiz.py"
    file.write_bytes(quiz.CHECK.read_bytes())
    key = hashlib.sha256(b"ada").hexdigest()
    (tmp_path / "viva.json").write_text(json.dumps({key: letters}))
    names: dict[str, Any] = {"__file__": str(file), "__name__": "quiz"}
    exec(compile(file.read_bytes(), str(file), "exec"), names)  # noqa: S102 - our own
    student, earned = SimpleNamespace(viva_answers=answers), 0
    for number in range(5):
        with contextlib.suppress(AssertionError):
            names["test_viva"](student, "ada", None, number)
            earned += 1
    assert earned == points


def test_what_students_write_is_text(root: Path) -> None:
    """Is code that looks like a page shown as code, in the listing, in a question and an option?"""
    hostile = DOUBLE.replace("return 0", 'return len("</code><script>alert(1)</script>") * 0')
    task = course.find_assignment(root, small.NAME)
    found = [made(root, f"s{number}", hostile) for number in range(3)]
    text = page(task, found)
    assert "<script" not in text
    assert "&lt;script&gt;" in text


# --- what is asked ---------------------------------------------------------------------------


def test_nothing_is_asked_about_what_was_given(root: Path) -> None:
    """Is there no question where all lines are those of the release?"""
    task = course.find_assignment(root, small.NAME)
    given = [cell["source"] for cell in json.loads(task.release.read_text("utf-8"))["cells"]]
    found = made(root, "ada", *map("".join, given))
    assert (found.questions, found.why) == ([], sheet.NO_CODE)


def test_a_short_work_says_that_it_gives_no_more(root: Path) -> None:
    """Are there fewer questions where there is next to nothing to ask, and a sentence?"""
    found = made(root, "ada", "def square(n):\n    return n")
    assert len(found.questions) < 5
    assert found.why in (sheet.FEW, sheet.NO_CALLS)


def test_questions_come_from_easy_to_hard_and_differ(root: Path) -> None:
    """Do they rise in the lines executed, with no family more than twice, and one right option?"""
    found = made(root, "ada", SQUARE, DOUBLE).questions
    assert [one.difficulty for one in found] == sorted(one.difficulty for one in found)
    assert msgspec.json.decode(msgspec.json.encode(found), type=list[VivaQuestion]) == found
    families = [one.family for one in found]
    assert max(map(families.count, families)) <= sheet.OF_A_FAMILY
    for one in found:
        assert len(set(one.options)) == len(one.options) >= 3
        assert 0 <= one.answer < len(one.options)


def test_a_cell_that_nobody_could_read_costs_no_time() -> None:
    """Is a very long function left out, and are the others asked about?"""
    long = "def long(n):\n" + "    n += 1\n" * 5000 + "    return n\n"
    sources, _ = sheet.own_code(cells(SQUARE, long, DOUBLE), set())
    assert "def long" not in "".join(sources.values()) and len(sources) == 2


def test_every_family_asks(root: Path) -> None:
    """Does each family find something in the sheets of a few students?"""
    task = course.find_assignment(root, small.NAME)
    found: set[str] = set()
    with laboratory(task, cells(SQUARE, DOUBLE), LIMITS, ["cell 0", "cell 1"]) as lab:
        sources, own = sheet.own_code(cells(SQUARE, DOUBLE), set())
        for number in range(4):
            chance = sheet.random.Random(number)
            program = sheet.program_of(task, lab, sources, own, chance)
            made = [[*family(program, chance)] for family in FAMILIES]
            found |= {one.family for questions in made for one in questions}
    assert len(found) == len(FAMILIES)


def test_options_differ_in_value_and_in_print() -> None:
    """Are 1, 1.0 and True one option, and texts another?"""
    made = choices(sheet.random.Random(1), 1, [1.0, True, 2, 2, "1", 3, 4])
    assert made is not None
    assert sorted(made[0]) == sorted(
        f"<code>{Markup.escape(text)}</code>" for text in ("1", "2", "'1'", "3")
    )
    assert choices(sheet.random.Random(1), 1, [True, 2]) is None
    infinity = float("inf")
    assert choices(sheet.random.Random(1), 1, [infinity, -infinity]) is None


def program(runs: dict[str, CallRun], edited: dict[str, CallRun]) -> StudentProgram:
    """Return a program with runs of calls, and with each of some calls' runs with one change."""
    change = Edit("c", 2, "if a:", "if b:", "")
    made = [(change, {call: run}) for call, run in edited.items()]
    return StudentProgram({}, set(), [], runs, made)


def test_wrong_options_cannot_be_left_out_at_a_glance() -> None:
    """Do they come from what the call meets, or what other calls return, and is else none asked?"""
    chance = sheet.random.Random(1)
    odd = {"f(1)": CallRun(0.25, 9, {}, {})}
    met = {("c", 2): {"v": [3, 7, 9], "w": [50, 60]}}
    (asked,) = returned(program({"f(1)": CallRun(7, 9, {}, met)}, odd), chance)
    assert {"<code>3</code>", "<code>7</code>", "<code>9</code>"} <= {*asked.options}
    assert not {"<code>50</code>", "<code>60</code>"} & {*asked.options}
    calls = {f"f({n})": CallRun(n, 9, {}, {}) for n in (1, 2, 3)}
    assert len([*returned(program(calls, odd), chance)]) == 3
    assert not [*returned(program({"f(1)": calls["f(1)"], "g(2)": calls["f(2)"]}, odd), chance)]


def test_a_condition_that_is_false_is_not_asked_about_where_nothing_comes_of_it() -> None:
    """Is `if False` asked about only if something other than nothing is returned?"""
    chance = sheet.random.Random(1)
    before = {f"f({n})": CallRun(n, 9, {}, {}) for n in (1, 2, 3)}
    for value, count in (0, 0), (4, 1):
        one = program(before, {"f(1)": CallRun(value, 9, {}, {})})
        one.edited[0] = (one.edited[0][0]._replace(after="if False:"), one.edited[0][1])
        assert len([*changed(one, chance)]) == count


def test_variables_that_stay_are_not_asked_about() -> None:
    """Is a variable one that gets a value in a loop, or twice, and has a name?"""
    source = "def f(a):\n    b = a\n    c = 1\n    c = 2\n    for i in a:\n        d = _ = i\n"
    (*_, last) = own_lines(source, "c", {("c", n) for n in range(9)})
    assert last.assigned == {"c", "d"}


def test_lines_that_every_run_executes_are_no_options() -> None:
    """Is a line an option only if some call of its function leaves it out?"""
    source = (
        "def f(n):\n    a = 1\n    if n:\n        b = 2\n    else:\n        c = 3\n    return a\n"
    )
    lines = [*own_lines(source, "c", {("c", n) for n in range(9)})]
    ran = {"f(0)": (2, 6, 7), "f(1)": (2, 4, 7)}
    runs = {call: CallRun(1, 3, {("c", n): 1 for n in ns}, {}) for call, ns in ran.items()}
    assert not [*unreached(StudentProgram({}, set(), lines, runs, []), sheet.random.Random(1))]


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
    "hash": "def f(n):\n    return list({'a', 'b', 'c', 'd', 'e'})",
    "time": "import time\ndef f(n):\n    return time.time()",
    "counter": "seen = []\ndef f(n):\n    seen.append(n)\n    return len(seen)",
    "default": "def f(n, seen=[]):\n    seen.append(n)\n    return len(seen)",
    "memory": (
        "import functools\n@functools.cache\ndef g():\n    return 1\ndef f(n):\n    return g()"
    ),
    "id": "def f(n):\n    return id(object())",
    "urandom": "import os\ndef f(n):\n    return os.urandom(4)[0]",
    "object": "def f(n):\n    return object()",
    "print": "class A:\n    pass\ndef f(n):\n    return repr(A())",
    "raises": "def f(n):\n    raise ValueError",
    "exits": "def f(n):\n    raise SystemExit",
    "kills": "import os\ndef f(n):\n    os._exit(0)",
    "loops": "def f(n):\n    while True:\n        pass",
    "swallows": (
        "def f(n):\n    while True:\n        try:\n            while True:\n                pass\n"
        "        except BaseException:\n            pass"
    ),
    "long": "def f(n):\n    return list(range(100))",
}


@pytest.fixture(scope="module")
def lab(root: Path) -> Iterator[Laboratory]:
    """A notebook with a cell for each of these; each leaves what it defines under its own name."""
    task = course.find_assignment(root, small.NAME)
    sources = {"square": SQUARE}
    sources |= {name: f"{text}\nf_{name} = f" for name, text in UNSTEADY.items()}
    sources |= {name: f"{text}\ng_{name} = g" for name, text in REACHED.items()}
    made = [Cell(source, f"cell {name}") for name, source in sources.items()]
    limits = Limits(unsafe=True, check_cpu_seconds=0.5)
    with laboratory(task, made, limits, [cell.label for cell in made]) as found:
        yield found


@pytest.mark.parametrize("name", UNSTEADY)
def test_what_is_not_the_same_again_is_no_answer(lab: Laboratory, name: str) -> None:
    """Is nothing asked whose answer is drawn, kept, endless, an object or an error?"""
    assert lab.runs([f"f_{name}(1)", f"f_{name}(2)"]) == {}


REACHED = {
    "alias": "def f(n):\n    return n + 1\ng = f",
    "inherited": "class A:\n    def f(self, n):\n        return n + 1\nclass B(A): pass\ng = B().f",
    "put_in": "class A: pass\ndef f(self, n):\n    return n + 1\nA.f = f\ng = A().f",
    "wrapped": ("import functools\n@functools.cache\ndef f(n):\n    return n + 1\ng = f"),
    "bound": "class A:\n    def f(self, n):\n        return n + 1\na = A()\ng = a.f",
    "partial": "import functools\ndef f(m, n):\n    return n + 1\ng = functools.partial(f, 0)",
    "static": "class A:\n    @staticmethod\n    def f(n):\n        return n + 1\ng = A.f",
    "class": "class A:\n    @classmethod\n    def f(cls, n):\n        return n + 1\ng = A.f",
    "nested": ("def h(n):\n    def f(m):\n        return m + 1\n    return f(n)\ng = h"),
    "kept": "def h():\n    def f(m):\n        return m + 1\n    return f\ng = h()",
    "property": (
        "class A:\n    n = 5\n    @property\n    def f(self):\n        return self.n + 1\n"
        "def g(n):\n    return A().f"
    ),
    "generator": "def f(n):\n    m = n + 1\n    yield m\ndef g(n):\n    return next(f(n))",
}


@pytest.mark.parametrize("name", REACHED)
def test_a_change_is_seen_wherever_the_function_is(lab: Laboratory, name: str) -> None:
    """Is the line changed in aliases, subclasses, wrappers and closures that there are already?"""
    label, call = f"cell {name}", f"g_{name}(5)"
    assert [one.value for one in lab.runs([call]).values()] == [6]
    source = f"{REACHED[name]}\ng_{name} = g"
    minus = next(one for one in edits(source, label, range(99)) if "- 1" in one.after)
    assert [one.value for one in lab.runs([call], label, minus.source).values()] == [4]


def test_lines_calls_and_variables_are_counted(lab: Laboratory) -> None:
    """Does the trace say how often each line was executed, and what was there before?"""
    found = lab.runs(["square(-3)"])["square(-3)"]
    assert found.text == "9"
    assert (found.lines["cell square", 5], found.lines["cell square", 7]) == (2, 1)
    assert found.variables["cell square", 5]["total"] == [0, 6]
    assert found.variables["cell square", 7]["total"] == [3]


def test_a_value_is_shown_in_one_way() -> None:
    """Are sets in order, and is an object, or a long text, nothing?"""

    def shown(value: object) -> str:
        return CallRun(value, 0, {}, {}).text

    assert shown({3, 1, 2}) == "{1, 2, 3}"
    assert shown([(1,), {"a": None}, (), [2, 3]]) == "[(1,), {'a': None}, (), [2, 3]]"
    assert [shown(one) for one in (object(), [object()], set(), {1: object()}, "a" * 99)] == [
        ""
    ] * 5


# --- edits -----------------------------------------------------------------------------------


def made_of(*lines: str) -> dict[int, list[str]]:
    """Return the edits of the lines of a function, by line."""
    found: dict[int, list[str]] = {}
    for one in edits(
        "\n".join(["def f(a, b):", *(f"    {line}" for line in lines)]), "cell f", range(99)
    ):
        found.setdefault(one.line, []).append(one.after)
    return found


def test_an_edit_changes_a_line_and_leaves_its_style() -> None:
    """Do quotes, blanks, comments and the other lines stay as they are?"""
    summed = made_of("x = a+b   # sum", "return x")[2]
    assert sorted(summed) == ["pass", "x = a   # sum", "x = a-b   # sum"]
    assert "if  a <= b :" in made_of("if  a < b :", "    return 'x'", "return not a")[2]
    assert "elif a >= b:" in made_of("if a:", "    a = 1", "elif a > b:", "    a = 2")[4]
    assert "return f(a)" in made_of("return f(a - 1)")[2]
    assert not [one for one in made_of("return 1 if a == 'X' else -1")[2] if "2" in one]
    assert "return max(a, b)" in made_of("return min(a, b)")[2]
    assert made_of("return not a")[2] == ["return a"]
    assert made_of('x = "a b"', "return x + 1")[3] == ["return x", "return x - 1", "return x + 2"]


def test_a_line_that_is_more_than_one_statement_has_no_edit() -> None:
    """Are lines left alone that hold two statements, a part of one, or brackets of their own?"""
    assert made_of("if a < b: a = 1") == {}
    assert made_of("a = min(a,", "        b)") == {}
    assert 2 not in made_of("a = (a + b)", "return a")


def test_an_edit_can_be_run() -> None:
    """Is each edited source Python, with as many lines as before, one of which is another?"""
    for source in (SQUARE, DOUBLE, *REACHED.values()):
        for one in edits(source, "cell f", range(99)):
            before, after = source.splitlines(), one.source.splitlines()
            assert len(before) == len(after)
            assert [n for n, pair in enumerate(zip(before, after, strict=True), 1)
                    if pair[0] != pair[1]] == [one.line]  # fmt: skip
            compile(one.source, "f", "exec")
