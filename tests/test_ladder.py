"""Let notebooks play the ladder of Connect Four, some of which do all that one should not."""

import json
from pathlib import Path

import msgspec
import nbformat
import pytest
from course_copies import make_course
from typer.testing import CliRunner

from adversarial import ladder
from adversarial.__main__ import app
from adversarial.ladder import RANDOM, Contest, play_game
from referee import course, intake
from referee.model import Limits, Verdict
from referee.sandbox.outside import server
from referee.sandbox.outside.conversation import Process, Stopped
from referee.sandbox.outside.submission import Submission

NAME, SECONDS = "connect-four", 2.0  # of a game
GREEDY = """for move in state.moves:
        if game.result(state, move).utility:
            return move
    return min(state.moves, key=lambda move: abs(move - 3))"""
BAD = {
    "raises": ("raise ValueError('</script>')", "it raised an error"),
    "loops": ("while True: pass", "its time was up"),
    "sleeps": ("import time; time.sleep(999)", "it did nothing for 0.3 seconds"),
    "cheats": ("return 7", "it played no legal move"),
    "hides": ("return type('T', (), {'__eq__': lambda *_: True})()", "it played no legal move"),
    "forges": ("game.result = len; state.moves.clear(); return 9", "it played no legal move"),
}


def hand_in(root: Path, student: str, code: str) -> Path:
    """Hand in the released notebook with a cell more; return the file."""
    notebook = nbformat.read(root / "release" / NAME / f"{NAME}.ipynb", as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(code))
    file = root / "submitted" / student / NAME / f"{NAME}.ipynb"
    file.parent.mkdir(parents=True)
    nbformat.write(notebook, file)
    return file


def plays(body: str) -> str:
    return f"def my_player(game, state):\n    {body}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course in which two have handed in: a greedy player, and one who takes what is first."""
    root = make_course(tmp_path / "course", NAME)
    hand_in(root, "ada", plays(GREEDY))
    first = "def find_best_move(game, state, depth):\n    return state.moves[0]\n"
    hand_in(root, "ben", f"{first}print(my_player)\ndel my_player\n")
    return root


@pytest.fixture
def contest(root: Path, monkeypatch: pytest.MonkeyPatch) -> Contest:
    """What is played, by those who do all that one should not as well; who sleeps loses soon."""
    monkeypatch.setattr(ladder, "IDLE_SECONDS", 0.3)
    monkeypatch.setattr(ladder, "SECONDS", SECONDS)
    for student, (body, _) in BAD.items():
        hand_in(root, student, plays(body))
    task, files = course.Course(root).find(NAME), root.glob("submitted/*/*/*.ipynb")
    cells = {one.parts[-3]: intake.accept_file(task, one.read_bytes()).cells for one in files}
    return Contest(task, Limits(cell_cpu_seconds=2, memory_bytes=1 << 30), cells)


def work(contest: Contest, student: str) -> Submission:
    warm = server.warm(contest.limits, contest.assignment.subject)
    return Submission(warm, contest.cells[student], contest.assignment.support, contest.limits)


@pytest.mark.proof
def test_whoever_errs_loses_the_game_and_nothing_else(contest: Contest) -> None:
    """Is it told why, and does a greedy player win as before against one of the course's?"""
    with work(contest, "ada") as ada:
        for student, (_, why) in BAD.items():
            with work(contest, student) as bad:
                works = {"ada": ada, student: bad}
                for side, players in enumerate([(student, "ada"), ("ada", student)]):
                    assert play_game(contest, works, players) == (players, side, why)
        assert play_game(contest, {"ada": ada}, ("ada", RANDOM)) == (("ada", RANDOM), 1, "")


def test_who_thinks_in_the_time_of_the_other_has_less_time(contest: Contest) -> None:
    """Does a thread that goes on after an answer use up the time of the next?"""
    burn = "threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()"
    code = f"import threading\ndef my_player(game, state):\n    {burn}\n    return 1\n"
    contest.cells["ada"].append(msgspec.structs.replace(contest.cells["ada"][-1], source=code))
    with work(contest, "ada") as ada, ada.student() as student:
        move, state = ladder.ask(student), ladder.GAME.initial
        assert move(state) == 1
        while student._process.cpu_seconds < SECONDS:
            pass
        with pytest.raises(Stopped, match="went on computing"):
            move(state)


def test_what_the_machine_does_costs_nothing(
    contest: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Is a game played again that something else has stopped?"""
    asked, real = [0], Process.exchange

    def exchange(self, *args):
        asked[0] += 1
        if asked[0] == 5:
            raise Stopped(Verdict.UNCLEAR, "the machine had too little memory")
        return real(self, *args)

    with work(contest, "ada") as ada:
        monkeypatch.setattr(Process, "exchange", exchange)
        assert play_game(contest, {"ada": ada}, ("ada", RANDOM)) == (("ada", RANDOM), 1, "")
    assert asked[0] > 5


def command(root: Path, *arguments: str, status: int = 0) -> str:
    done = CliRunner().invoke(app, ["ladder", *arguments, "--course", str(root)])
    assert done.exit_code == status, done.output
    return done.output


def test_a_class_is_a_table_and_json(root: Path) -> None:
    """Do all pairs play twice, is the order that of strength, and is it said who does not play?

    Where nothing can be played, is it said what is missing?
    """
    hand_in(root, "cas", plays(BAD["raises"][0]))
    hand_in(root, "eve", "").write_text("no notebook")
    said = command(root, NAME, "--json", str(root / "ladder.json"))
    found = json.loads((root / "ladder.json").read_bytes())
    players = {one["name"]: one for one in found["players"]}
    assert next(iter(players)) == "ada"
    assert list(players)[-1] == "cas"
    assert players.keys() == {"ada", "ben", "cas", RANDOM}
    assert {one["won"] + one["drawn"] + one["lost"] for one in players.values()} == {6}
    errors = {name: one["errors"] for name, one in players.items() if one["errors"]}
    assert errors == {"cas": {"it raised an error": 6}}
    rows = [line.split(". ")[1] for line in said.splitlines() if line[3:5] == ". "]
    assert [row.split()[0] for row in rows] == list(players)
    assert rows[-1].endswith("it raised an error (6)")
    assert found["without"].keys() == {"eve"}
    assert f"Not on the ladder: eve, since {found['without']['eve']}." in said
    for file in root.glob("submitted/*/*/*.ipynb"):
        file.write_text("{")
    assert "nothing of connect-four that could be read" in command(root, NAME, status=2)


def test_players_are_rated_by_their_share_of_the_points():
    """Is a draw half a point, and is who has most first?"""
    games = [(("b", "a"), 1.0, "late"), (("a", "c"), 0.5, ""), (("c", "b"), 1.0, "")]
    found = ladder.ranking(["b", "c", "a"], [*games, (("a", "c"), 0.0, "")])
    assert [(one.name, one.rating) for one in found] == [("c", 83), ("b", 50), ("a", 17)]
    assert found[-1].errors == {"late": 1}
