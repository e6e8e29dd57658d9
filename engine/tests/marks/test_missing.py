"""Take away what marks were made with: is it a question, and does no mark change by it?"""

import errno
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import small_course as small
from classes import KILLER, REFUSED, Class
from formgrading import run
from small_course import NAME

from referee.course import Course
from referee.judging import bundle, cache
from referee.marks import entries, release, standings
from referee.model import Verdict

MARKS = {"ada": 10.0, "bob": 6.0}
BY_HAND = (0.0, 3.0, False)
HIDDEN = f"tests/hidden/{NAME}"
TRIPLE = "def double(n):\n    return n + n + n"
LOSSES = {
    "a file": (
        lambda two: two.hidden("test_square.py").unlink(),
        "test_square.py::test_square is gone, but marks depend on it: 2 students (ada,",
    ),
    "results": (lambda two: two.path(cache.FILE).unlink(), "results.db has lost all results"),
    "the secret": (
        lambda two: two.hidden("seed.txt").unlink(),
        f"{NAME}/seed.txt is gone, but marks depend on it: 2 students (ada, bob)",
    ),
    "the secret's text": (  # by a kill when it was made
        lambda two: two.hidden("seed.txt").write_bytes(b""),
        f"{NAME}/seed.txt is gone, but marks depend on it: 2 students (ada, bob)",
    ),
    "rows": (
        lambda two: two.forget("bob"),
        "the gradebook has no marks any more that were entered there: 1 student (bob)",
    ),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_what_is_gone_is_a_question_once(two: Class, loss: str) -> None:
    """Does the run end before anybody is judged, go on when that is meant, and then ask no more?"""
    lose, told = LOSSES[loss]
    lose(two)
    before = two.rows()
    said = two.grade(status=2)
    assert told in said
    assert f"`referee grade {NAME} --accept-removed`; no mark has changed" in said
    assert two.rows() == before
    two.grade("--accept-removed")
    assert two.totals()["ada"] == 10.0
    assert two.rows()["bob"]["test_square"][1] == (None if loss == "rows" else 3.0)
    two.grade()


def test_a_file_that_comes_back_is_no_question(two: Class) -> None:
    """Is all as before where the advice was followed?"""
    before, file = two.rows(), two.hidden("test_square.py")
    content = file.read_bytes()
    file.unlink()
    two.grade(status=2)
    file.write_bytes(content)
    two.grade()
    assert two.rows() == before


def test_half_a_page_of_feedback_is_made_again(two: Class) -> None:
    """Is a page whole again that was not written to its end, by a kill, though it is the newest?"""
    run(two.root, "referee", "return", NAME)
    page = two.path(f"feedback/bob/{NAME}/{NAME}.html")
    whole = page.read_bytes()
    for half in whole[:5000], b"":
        page.write_bytes(half)
        run(two.root, "referee", "return", NAME)
        assert page.read_bytes() == whole


def test_a_notebook_that_vanished_keeps_its_marks(two: Class) -> None:
    """Is a file that is gone from its folder told, and are the others graded?"""
    (two.folder("ada") / f"{NAME}.ipynb").unlink()
    two.hand_in("bob")
    for options in ["--never-lower"], [], ["--force"]:  # with the first bob gains, 6 to 10
        said = two.grade(*options, status=1)
        assert f"ada needs you: no notebook in submitted/ada/{NAME}; put it back, or take" in said
        assert "not graded, the marks are as before" in said
        assert two.totals() == {"ada": 10.0, "bob": 10.0}
    two.grade("--accept-removed", status=1)
    assert two.totals() == {"ada": 0.0, "bob": 10.0}


def test_results_follow_a_notebook_that_gets_another_beside_it(two: Class) -> None:
    """Are they found under the name that it has then, in the gradebook as in the store?"""
    before, source = entries.get(two.root, NAME), two.path(f"source/{NAME}")
    shutil.copy(source / f"{NAME}.ipynb", source / "more.ipynb")
    release.make(Course(two.root), NAME, lambda _: True)
    part = Course(two.root).by_key(f"{NAME}/{NAME}")
    assert before and entries.get(two.root, part.key) == before
    assert entries.get(two.root, NAME) == {}
    assert standings.of(part).keys() == before.keys()


def test_results_that_are_damaged_are_not_thrown_away(two: Class) -> None:
    """Is the file named and left as it is, and is the advice good?"""
    file = two.path(cache.FILE)
    content = file.read_bytes()
    file.write_bytes(damaged := content[:100] + b"x" * 5000)
    said = two.grade(status=2)
    assert f"{file} cannot be used" in said and "put your last copy back" in said
    assert file.read_bytes() == damaged
    file.write_bytes(content)
    two.grade()
    assert two.rows()["bob"]["test_square"] == BY_HAND


def test_damaged_rows_of_one_student_stop_nobody_else(two: Class) -> None:
    """Is the one whose rows are damaged told, and are those after them graded?"""
    two.hand_in("ada", "bob", double="def double(n):\n    return n + n")
    two.sql(
        "delete from grade where notebook_id in (select s.id from submitted_notebook s join "
        "submitted_assignment a on s.assignment_id = a.id where a.student_id = 'ada') "
        "and cell_id in (select id from base_cell where name = 'test_square')"
    )
    assert "ada needs you: its rows in the gradebook are damaged" in two.grade(status=1)
    assert two.report("bob").scores == {"test_double": 6.0, "test_square": 4.0}


def test_an_autograded_notebook_of_somebody_else_is_not_as_before(two: Class) -> None:
    """Is a notebook that was overwritten by another student's, or edited, written again?"""
    mine, other = (two.path(f"autograded/{name}/{NAME}/{NAME}.ipynb") for name in MARKS)
    content = mine.read_bytes()
    mine.chmod(0o644)
    mine.write_bytes(other.read_bytes())
    assert "1 entered, 1 as before" in two.grade()
    assert mine.read_bytes() == content


OF_ONE = (errno.EIO, ""), (errno.ENOENT, f"/{NAME}.ipynb"), (errno.EIO, "/timestamp.txt")
OF_ALL = (
    f"release/{NAME}/{NAME}.ipynb", f"source/{NAME}/{NAME}.ipynb", "grades.jsonl",
    f"{HIDDEN}/test_square.py", "nbgrader_config.py", "submitted",
)  # fmt: skip


@pytest.fixture
def refused(two: Class) -> Iterator[dict[str, int]]:
    """Give the paths, by their ends, that cannot be opened, with the error numbers.

    Everybody has handed in another `double`, which is wrong.
    """
    two.hand_in(*MARKS, double=TRIPLE)
    for name in MARKS:
        (two.folder(name) / "timestamp.txt").write_text("2026-01-01 00:00:00 UTC")
    yield REFUSED
    REFUSED.clear()


@pytest.mark.parametrize(("number", "place"), OF_ONE)
def test_what_cannot_be_opened_is_not_the_students_fault(
    two: Class, refused: dict[str, int], number: int, place: str
) -> None:
    """Do those keep their marks whose file is not read, and only those?"""
    refused[path := f"submitted/bob/{NAME}{place}"] = number
    assert path in two.grade(status=1)
    assert two.totals() == {"ada": 4.0, "bob": 6.0}
    refused.clear()
    two.grade()
    assert two.totals() == {"ada": 4.0, "bob": 4.0}


def test_what_is_gone_in_the_meantime_concerns_nobody_else(
    two: Class, refused: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Is a notebook that can be read at first, but not when its turn comes, its student's alone?"""
    files_of = bundle.files

    def later(*of: Any) -> dict[str, bytes]:
        refused[f"submitted/bob/{NAME}/{NAME}.ipynb"] = errno.ESTALE
        return files_of(*of)

    monkeypatch.setattr(bundle, "files", later)
    assert "not graded, the marks are as before" in two.grade(status=1)
    assert two.totals() == {"ada": 4.0, "bob": 6.0}


def test_what_concerns_all_is_nobodys_fault(two: Class, refused: dict[str, int]) -> None:
    """Is nobody graded where the machine, or a file of the course, is what fails?"""
    for place in OF_ALL:
        refused[place] = errno.EACCES
        assert f"{place}: Permission denied" in two.grade(status=2)
        assert two.totals() == MARKS
        refused.clear()
    two.grade()
    assert two.totals() == {"ada": 4.0, "bob": 4.0}


def test_what_cannot_be_judged_keeps_the_mark_that_is_there(two: Class) -> None:
    """Does a check that the reference fails take no mark away, and is the cell flagged?

    Also where the mark came from stock nbgrader, so that nothing is known of it here.
    """
    two.replace(f"{HIDDEN}/test_square.py", "== 49", "== 48")
    stock = two.copy(two.root.parent / "stock")
    for place in cache.FILE, "grades.jsonl":
        stock.path(place).unlink()
    for class_ in two, stock:
        said = class_.grade(status=1)
        assert "Suspended, since the reference solution does not pass" in said
        assert class_.totals() == MARKS
        assert class_.rows()["ada"]["test_square"] == (4.0, None, True)
    two.hand_in("ada", square="def square(n):\n    return n ** 2")
    two.grade(status=1)  # another answer, about which nothing is known
    assert two.rows()["ada"]["test_square"] == (None, None, True)
    two.replace(f"{HIDDEN}/test_square.py", "== 48", "== 49")
    two.grade()
    assert two.totals() == MARKS


SOURCE = f"source/{NAME}/{NAME}.ipynb"
ACCIDENTS = {  # a file, what its text is then if it is not gone, and what is said
    "in a check": (
        f"{HIDDEN}/test_double.py",
        lambda text: KILLER + text,
        ("numbers could not be asked", "::test_double was stopped", "no mark has changed"),
    ),
    "in a cell": (
        SOURCE,
        lambda text: text.replace("return 2 * n", "return 2 * n\\nimport os; os._exit(1)"),
        ("could not be asked, since one of its cells was stopped", "no mark has changed"),
    ),
    "no notebook": (SOURCE, None, (f"{SOURCE}: No such file or directory; put that right",)),
}


@pytest.mark.parametrize("name", ACCIDENTS)
def test_an_accident_to_the_reference_is_no_wrong_check(
    two: Class, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Is the run ended, with all marks as they were, where it is stopped each time, or gone?"""
    two.path("kills").write_text("1000")
    monkeypatch.setenv("KILLS", str(two.path("kills")))
    monkeypatch.setenv("WHOM", "one")
    place, change, told = ACCIDENTS[name]
    file, before = two.path(place), two.rows()
    content = file.read_text("utf-8")
    file.write_text(change(content), "utf-8") if change else file.unlink()
    said = two.grade(status=2)
    assert [words for words in told if words not in said] == []
    assert two.rows() == before
    file.write_text(content, "utf-8")
    two.grade()
    assert {check.verdict for check in two.report("ada").checks} == {Verdict.PASS}


@pytest.mark.parametrize("door", [["grade", NAME, "--workers", "1"], ["gradescope", NAME]])
def test_every_door_makes_the_secret_and_says_so_once(tmp_path: Path, door: list[str]) -> None:
    """Does each way to marks make it in a fresh copy, and is it then the same?"""
    root = small.make(tmp_path)
    small.hand_in(root, "ada")
    seed = root / "tests" / "hidden" / NAME / "seed.txt"
    assert f"{seed.relative_to(root)} was made" in " ".join(run(root, "referee", *door).split())
    assert seed.stat().st_mode & 0o777 == 0o600  # for nobody else to read
    secret = seed.read_bytes()
    assert len(secret) > 30
    assert "was made" not in run(root, "referee", *door)
    assert seed.read_bytes() == secret
