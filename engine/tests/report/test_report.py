"""Ask whether the page of a class says what is so, to people and machines, and keeps it at home."""

import itertools
import math
import random
import re
import statistics
from collections.abc import Collection
from pathlib import Path

import markup
import msgspec
import pytest
from class_records import mistaken, of_bank, record
from classes import Class
from formgrading import run
from nim_course import ASSIGNMENT
from playwright.sync_api import Browser
from small_course import NAME

from referee.model import Cost, Record
from referee.report import page as class_page

EVIL = "\"'><script>stolen()</script><img src=x onerror=stolen()>{{ 7 * 7 }}</title>"
LOADING = {"src", "href", "srcset", "data", "action", "poster", "background", "xlink:href"}
P, W, E, N, T, OURS = "pass", "wrong", "error", "not-run", "timeout", "referee-error"


def class_of(*records: Record) -> dict[str, Record]:
    return {one.student: one for one in records}


def small() -> dict[str, Record]:
    """A class of four and one whose file could not be read: two cells of two checks, 10 points."""
    return class_of(
        record("ann", {"f": [P, P], "g": [P, P]}),
        record("ben", {"f": [P, W], "g": [P, P]}, explanations=[mistaken("f", "skips")]),
        record("cas", {"f": [W, W], "g": [P, E]}, explanations=[mistaken("f", "skips")]),
        record("dee", {"f": [P, P], "g": [W, N]}, explanations=[mistaken("g", "loops")]),
        record("eli", {"f": [N, N], "g": [N, N]}, refused="it is a picture"),
    )


def test_a_check_is_as_hard_as_few_pass_it():
    """Is the share that of those who could be read, and counted are all verdicts of theirs?"""
    found = {check.id: check for check in class_page.checks(small())}
    assert [check.pass_rate for check in found.values()] == [0.75, 0.5, 0.75, 0.5]
    assert found["test_g.py::test_2"].failures == [(E, 1), (N, 1)]


def test_discrimination_by_hand():
    """Is it the correlation of passing with the points for all the rest?

    Check f1 is passed by ann, ben, dee, who have 15, 10, 5 points for the rest, not by cas, who has
    5: means 10 and 5; all four have the standard deviation 4.1458; so 5 / 4.1458 * sqrt(3/16).
    """
    first, *_ = class_page.checks(small())
    spread = statistics.pstdev([15, 10, 5, 5])
    assert first.discrimination == pytest.approx(5 / spread * math.sqrt(0.75 * 0.25))
    assert first.discrimination == pytest.approx(0.5222, abs=1e-4)


@pytest.mark.parametrize(
    ("verdicts", "rate"),
    [
        ([[P, P], [P, W], [P, P]], 1),  # all pass
        ([[W, P], [W, W], [E, P]], 0),  # none passes
        ([[P, P], [W, P], [P, P]], 2 / 3),  # the rest is the same for all
        ([[P, P], [W, W]], 0.5),  # two students always agree
        ([[P, P]], 1),
        ([[OURS, P]] * 3, None),  # it is not the students' fault
    ],
)
def test_discrimination_is_undefined_where_nothing_differs(verdicts, rate):
    """Is there no number where none has a meaning?"""
    class_ = class_of(*(record(f"s{n}", {"f": mine}) for n, mine in enumerate(verdicts)))
    check = class_page.checks(class_)[0]
    assert (check.pass_rate, check.discrimination) == (rate, None)


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (record("s", {"f": [N]}, refused="no JSON"), "the file could not be read: no JSON"),
        (record("s", {"f": [OURS, P]}), "something of ours has failed: test_f.py::test_1"),
        (record("s", {"f": [OURS] * 9}), "test_3 (referee-error); and 6 more checks"),
        (record("s", {"f": [OURS] * 4}, trouble=["f: no"]), "and 1 more check; f: no"),
        (record("s", {"f": [P]}, trouble=["f: KeyError"]), "something of ours has failed: f: Key"),
        (record("s", {"f": ["tampered", P]}), "checks that were tampered with: 1"),
        (record("s", {"f": [T, T, "killed"]}), "checks that were stopped: 2 timeout, 1 killed"),
    ],
)
def test_it_is_said_why_a_human_should_look(one, words):
    """Is each reason there, in words?"""
    (found,) = class_page.for_a_human(class_of(one))
    assert any(words in why for why in found[1])


def test_nobody_looks_without_a_reason_and_the_urgent_come_first():
    """Does a cell that is always marked by hand, or one check that was stopped, bother nobody?"""
    well = record("s", {"f": [T, W], "essay": []})
    slow, unread = record("a", {"f": [T] * 3}), record("z", {"f": [N]}, refused="empty")
    found = class_page.for_a_human(class_of(well, slow, unread))
    assert [name for name, _ in found] == ["z", "a"]
    cells = class_page.cells(class_of(record("s", {"f": [OURS], "essay": []})))
    assert [cell.by_hand for cell in cells] == [False, True]


@pytest.mark.parametrize("most", [0, 0.5, 1, 3, 7, 7.5, 20, 85, 100, 1000, 123456])
def test_each_mark_is_in_one_bar(most):
    """Is nobody lost or counted twice, and do full marks stand alone?"""
    chance = random.Random(3)
    scores = [0, most, most, *(chance.randrange(101) / 100 * most for _ in range(50))]
    found = class_page.CellSummary("f", "f", most, scores, 0, by_hand=False).bars
    assert len(found) <= class_page.BARS + 1
    if most:
        assert sum(students for _, students in found) == len(scores)
        assert found[-1][1] == sum(score == most for score in scores)


class Parsed(markup.Page):
    """A page whose elements stand apart."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        self.text += "" if tag in ("code", "strong") else " "


def told(class_: dict[str, Record], handed_in: Collection[str] = ()) -> str:
    """Return what the page says, in one line."""
    return " ".join(Parsed(class_page.page(ASSIGNMENT, class_, handed_in)).text.split())


def hostile() -> dict[str, Record]:
    """A class in which everything that may be a student's is an attack."""
    found = {}
    for student in (EVIL, f"{EVIL} too"):
        cells = [
            msgspec.structs.replace(cell, source=f"{cell.source}\n# {EVIL}")
            for cell in of_bank("right/one_function")
        ]
        one = record(student, {"f": [W, T, T, T], "g": [P]}, cells=cells, repairs=[EVIL],
                     trouble=[EVIL], explanations=[mistaken("f", EVIL)],
                     costs={"": Cost(1), "test_f.py::test_1": Cost(2, 3)})  # fmt: skip
        for check in one.report.checks:
            check.title = check.message = check.details = EVIL
        found[student] = one
    found["refused"] = record("refused", {"f": [N]}, refused=EVIL)
    return found


def test_nothing_of_a_student_becomes_part_of_the_page():
    """Are there the same tags as without the attacks, and can the attacks be read?"""
    page = class_page.page(ASSIGNMENT, hostile(), [EVIL + "3"])
    parsed = Parsed(page)
    assert parsed.tags.count("script") == 0
    assert parsed.tags.count("img") == 0
    assert parsed.text.count("<script>stolen()</script>") > 12
    assert "49" not in parsed.text.replace("{{ 7 * 7 }}", "")
    assert all(not name.startswith("on") for name, _ in parsed.attributes)


@pytest.mark.parametrize("class_", [{}, small(), hostile()], ids=len)
def test_the_page_stays_at_home(class_):
    """Does it name nothing to load, and forbid loading besides?"""
    page = class_page.page(ASSIGNMENT, class_)
    parsed = Parsed(page)
    wanted = {v for k, v in parsed.attributes if k in LOADING and v}
    assert [value for value in wanted if not value.startswith("#")] == []
    assert not re.search(r"url\((?!#)|@import|(src|href)\s*=\s*[\"']?(https?:|//)", page)
    assert parsed.tags.count("link") == 0
    policy = [a["content"] or "" for _, a in parsed.elements if a.get("http-equiv")]
    assert "default-src 'none'" in policy[0]


def test_the_page_can_be_read_by_ear():
    """Has each table a caption and headings with a scope, and is the order of headings right?"""
    parsed = Parsed(class_page.page(ASSIGNMENT, small()))
    assert parsed.tags.count("table") == parsed.tags.count("caption")
    assert all(
        attrs.get("scope") in ("col", "row") for tag, attrs in parsed.elements if tag == "th"
    )
    ids = [attrs["id"] for _, attrs in parsed.elements if attrs.get("id")]
    assert len(ids) == len(set(ids))
    levels = [int(tag[1]) for tag in parsed.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(levels))


@pytest.mark.parametrize(
    ("class_", "words"),
    [
        ([record("ann", {"f": [P]})], "1 student, graded"),
        ([], "zoe handed in, but has no result"),
        ([], "Nobody has been graded yet"),
        ([record("ann", {"f": [P]}, 0)], "There are no points to show"),
    ],
)
def test_a_small_class_has_a_page(class_, words):
    """Do a class of one, one of none, and one without points, have a page that says so?"""
    assert words in told(class_of(*class_), [*class_of(*class_), "zoe"])


def test_what_was_found_is_on_the_page():
    """Are the numbers, those who need a human, the misconception and the bars there?

    Is an instructor told that marks of two versions of the course stand side by side?
    """
    text = told(small(), [*small(), "zoe"])
    for words in (
        "5 students, graded 2026-01-02 03:04:05 UTC, by version cccccccc of the course",
        "Mean 10 of 20 Median 10 Need you 2",
        "zoe handed in, but has no result", "eli the file could not be read: it is a picture",
        "f is right in way 1 75 % 0.52 wrong 1",
        "a search that skips It must not. 2 ben, cas g a search that loops It must not. 1 dee",
        "Sum of the points, of 20; mean 10", "18– 0 20 1",
    ):  # fmt: skip
        assert words in text
    assert "same version" not in text
    other = record("zed", {"f": [P, P], "g": [P, P]})
    other.course = "d" * 64
    several = "graded by the same version of the course (cccccccc: 5, dddddddd: 1)"
    assert f"Not all were {several}" in told(small() | class_of(other))


def test_copies_are_a_question():
    """Are two who have the same work asked about, with what they wrote, and others not?"""
    class_ = small()
    for name, work in (("ann", "warns"), ("ben", "warns"), ("cas", "one_function")):
        class_[name].cells = of_bank(f"right/{work}")
    text = told(class_)
    assert text.count("Have these two worked together?") == 1
    assert "Have these two worked together? ann and ben: 100 %" in text
    assert text.count("def value(self, state, player):") == 2


def test_the_command_writes_the_page(two: Class, tmp_path: Path) -> None:
    """Does it write what was entered, to the course folder or where it is told?"""
    two.path(f"submitted/zoe/{NAME}").mkdir(parents=True)
    command = "referee", "report", NAME
    assert "2 students" in run(two.root, *command)
    page = two.path(f"report-{NAME}.html").read_text("utf-8")
    assert "handed in, but has no result" in page and "Mean" in page
    run(two.root, *command, "--html", str(tmp_path / "x.html"))
    assert (tmp_path / "x.html").read_text("utf-8") == page
    run(two.root, *command, "--html", str(two.root), status=2)  # it is a folder


@pytest.mark.parametrize("width", [390, 1200])
def test_the_page_fits(browser: Browser, tmp_path: Path, width: int) -> None:
    """Do wide tables scroll by themselves, on a phone too, and does nothing complain?"""
    (tmp_path / "page.html").write_text(class_page.page(ASSIGNMENT, hostile()), "utf-8")
    tab, said = browser.new_page(viewport={"width": width, "height": 800}), list[str]()
    tab.on("console", lambda message: said.append(message.text))
    tab.goto((tmp_path / "page.html").as_uri())
    assert (tab.evaluate("document.documentElement.scrollWidth"), said) == (width, [])
    tab.close()
