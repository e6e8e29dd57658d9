"""Let students of a small course play a ladder, some of whom do all that one should not."""

import json
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from formgrading import run
from nim_course import NAME, NOTEBOOK, make
from typer.testing import CliRunner

from referee import course
from referee.doors import cli, ladder, match
from referee.doors.match import PlannedGame, Rules, play
from referee.model import Limits
from referee.report.ladder import PlayedGame
from referee.sandbox.outside.conversation import TimedAnswers, TimedOut, Unclear

EVIL = "</script><script>stolen()</script>"
GOOD = {"ada": "return left % 3 or 1", "ben": "return 2 if left == 2 else 1"}
BAD = {
    "raises": (f"raise ValueError({EVIL!r})", "raised an error"),
    "loops": ["while True: pass", "took more than 0.3 s for a move"],
    "sleeps": ("import time; time.sleep(999)", "did nothing when it was to move"),
    "leaves": ("import os; os._exit(0)", "its process ended"),
    "dies": ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "its process was killed"),
    "eats": ("return len('x' * 2**40)", "raised an error"),
    "cheats": ("return 3", "played no legal move"),
    "talks": ("return f'{left}'", "played no legal move"),
    "hides": ("return type('T', (), {'__eq__': lambda *_: True})()", "played no legal move"),
    "counts": ("return float('nan')", "played no legal move"),
    "recurs": ("return take(left)", "raised an error"),
}


def hand_in(root: Path, student: str, body: str) -> None:
    """Hand in the released notebook with a function to play with."""
    notebook = nbformat.read(root / "release" / NAME / NOTEBOOK, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(f"def take(left):\n    {body}\n"))
    place = root / "submitted" / student / NAME
    place.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, place / NOTEBOOK)


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """A course in which two have handed in."""
    made = make(tmp_path / "course")
    for student, body in GOOD.items():
        hand_in(made, student, body)
    yield made
    for submission in match._at_work(match.os.getpid()).values():
        submission.close()
    match._at_work.cache_clear()


def rules(root: Path) -> Rules:
    task = course.find_assignment(root, NAME)
    limits = Limits(cell_cpu_seconds=2, memory_bytes=1 << 30)
    return ladder.contest(task, limits, 1, 0.3, None).rules


def lost(root: Path, student: str) -> PlayedGame:
    return play(rules(root), PlannedGame((student, "one"), [1], ""))


def test_whoever_errs_loses_the_game_and_nothing_else(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Is the reason told, and do those who play well win as before, in the same worker?"""
    monkeypatch.setattr(match, "WALL_SECONDS", 0.3)
    for student, (body, _) in BAD.items():
        hand_in(root, student, body)
    setting = rules(root)
    for student, (_, why) in BAD.items():
        for side in 0, 1:
            players = (student, "one")[:: 1 - 2 * side]
            game = play(setting, PlannedGame(players, [1], ""))
            assert (game.lost, game.why, game.score) == (side, why, float(side)), student
        honest = play(setting, PlannedGame(("well", "ada"), [2], ""))
        assert (honest.score, honest.lost, honest.why) == (0.0, None, "")


def test_a_notebook_without_a_player_loses(root: Path) -> None:
    """Is it told what is missing?"""
    hand_in(root, "ann", "pass\ndel take")
    game = lost(root, "ann")
    assert (game.lost, game.why) == (0, "raised an error")
    assert "`take` is not defined" in game.said


def test_who_thinks_in_the_time_of_the_other_has_less_time(root: Path) -> None:
    """Does a thread that goes on after an answer use up the time of the next?"""
    burn = "threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()"
    hand_in(root, "eva", f"import threading\n    {burn}\n    return 1")
    with match._submission(rules(root), "eva").player(0.4, 10.0) as student:
        assert student.take(3) == 1
        while student._process.cpu_seconds < 1.0:
            pass
        with pytest.raises(TimedOut):
            student.take(3)


def test_what_the_machine_does_costs_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is the game played again, and does it not count if something else stops it each time?"""
    setting, times = rules(root), iter((2, 10**6, 1, 2, 3))
    left, real = [0], TimedAnswers.exchange

    def exchange(self, *args):
        left[0] -= 1
        if left[0] == 0:
            raise Unclear("the machine had too little memory")
        return real(self, *args)

    monkeypatch.setattr(TimedAnswers, "exchange", exchange)
    once = match._once

    def begin(*args):
        left[0] = next(times)
        return once(*args)

    monkeypatch.setattr(match, "_once", begin)
    assert play(setting, PlannedGame(("ben", "well"), [1], "")).why == ""
    uncounted = play(setting, PlannedGame(("ben", "well"), [1], ""))
    assert (uncounted.score, uncounted.why) == (None, "its process was killed")


def command(root: Path, *arguments: str, status: int = 0) -> str:
    done = CliRunner().invoke(cli.app, ["ladder", NAME, "--course", str(root), *arguments])
    assert done.exit_code == status, done.output
    return done.output


def test_a_ladder_goes_on_and_plays_anew_what_has_changed(root: Path) -> None:
    """Is each game played once, whatever stops it in between?"""
    hand_in(root, "cas", BAD["raises"][0])
    task, limits = course.find_assignment(root, NAME), course.limits(root)

    def stop(_: str) -> None:
        if (times := times_told.pop()) == 0:
            raise KeyboardInterrupt
        times_told.append(times - 1)

    times_told = [3]
    with pytest.raises(KeyboardInterrupt):
        ladder.run(ladder.contest(task, limits, 1, 1.0, None), 2, stop)
    file = ladder.kept_file(task)
    assert file.read_bytes().count(b"\n") == 4
    file.write_bytes(file.read_bytes()[:-20])  # the last line was not finished
    assert "games played: 17 of 17" in command(root)
    before = file.read_bytes()
    said = command(root, "--json", str(root / "ladder.json"))
    assert "games played:" not in said
    assert file.read_bytes() == before
    result = json.loads((root / "ladder.json").read_bytes())
    assert next(one["name"] for one in result["players"]) in ("ada", "well")
    assert {one["name"]: one["forfeits"] for one in result["players"]}["cas"] == 8
    assert (result["counted"], result["uncounted"]) == (20, 0)
    hand_in(root, "ben", "return 1")
    assert "games played: 8 of 8" in command(root)
    assert "games played: 20 of 20" in command(root, "--openings", "2")


def test_names_are_made_up_unless_they_are_asked_for(root: Path) -> None:
    """Does no id, and nothing that code said, stand in the page; are names the same again?"""
    hand_in(root, "cas", BAD["raises"][0])
    page = root / f"ladder-{NAME}.html"
    table = command(root).partition("player")[2].splitlines()[1:6]
    text = page.read_text("utf-8")
    assert not any(name in text for name in (">ada<", '"ada"', "cas", "stolen", "take"))
    hand_in(root, "dan", "return 1")
    again = command(root)
    assert all(line.split("  ")[0].partition(". ")[2] in again for line in table)
    command(root, "--names")
    text = page.read_text("utf-8")
    assert '"ada"' in text
    assert EVIL not in text
    assert "\\u003c/script>\\u003cscript>stolen()" in text
    assert str(page) in run(root, "referee", "forget", "ada", "--yes")
    assert not page.exists()
    assert b'"ada"' not in ladder.kept_file(course.find_assignment(root, NAME)).read_bytes()


def test_what_cannot_be_played_is_told_in_a_line(root: Path) -> None:
    """Is it said what is missing, and what to do?"""
    (root / "submitted" / "eve" / NAME).mkdir(parents=True)
    (root / "submitted" / "eve" / NAME / NOTEBOOK).write_text("no notebook")
    said = command(root)
    assert "Not on the ladder: eve, since" in said
    subject = root / "nim" / "subject.py"
    text = subject.read_text()
    subject.write_text(text.replace(", ladder=ladder", ""))
    assert "`ladder` in nim/subject.py gives" in run(root, "referee", "ladder", NAME, status=2)
    subject.write_text(text)
    for folder in (root / "submitted").iterdir():
        (folder / NAME / NOTEBOOK).write_text("{")
    assert "nobody has handed in nim" in run(root, "referee", "ladder", NAME, status=2)


def test_a_large_class_plays_part_of_the_games() -> None:
    """Does each meet some others and all of the course's, and does a newcomer change few pairs?"""
    names = ["random", *(f"s{n}" for n in range(60))]
    pairs = ladder._pairs(names, {"random"}, "seed", None)
    meets = {name: sum(name in pair for pair in pairs) for name in names}
    assert meets["random"] == 60
    assert min(meets.values()) >= 1 + ladder.OPPONENTS
    assert max(meets[name] for name in names[1:]) <= 3 * ladder.OPPONENTS
    more = ladder._pairs([*names, "new"], {"random"}, "seed", None)
    kept = set(pairs) & set(more)
    assert len(kept) > 0.9 * len(pairs)
    assert len(ladder._pairs(names, {"random"}, "seed", 60)) == 61 * 60 // 2
