"""Grade on Gradescope: the zip is unpacked as Gradescope does it, and its script is really run.

The folder /autograder of Gradescope's container is a temporary one here, and the packages that
setup.sh would install are those of this environment.
"""

import io
import json
import os
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from formgrading import run

from referee import course, gradescope
from referee.judging import suspension
from referee.model import CellMark, CheckResult, Cost, Explanation, Report, Verdict
from referee.proof import bank

ROOT = Path(__file__).parents[1]
NAME = "tic-tac-toe"
ASSIGNMENT = course.Course(ROOT).find(NAME)
TOP = {  # the fields that Gradescope documents
    "score", "execution_time", "output", "output_format", "test_output_format", "test_name_format",
    "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard",
}  # fmt: skip
TEST = {
    "score", "max_score", "status", "name", "name_format", "number", "output", "output_format",
    "tags", "visibility", "extra_data",
}  # fmt: skip
LAYERS = ("own process", "own session", "empty environment", "own folder", "memory limit")


def handed_in(*blank: str) -> str:
    """Return a notebook in which only the `blank` cells of a solution of the bank are blank."""
    (solution,) = bank.read_all(ASSIGNMENT, ["wrong/nothing_done"])
    kept = [part for part in solution.sections if part[0].removesuffix(" blank") in blank]
    solution = solution._replace(sections=kept)
    return json.dumps(bank.notebook(solution, ASSIGNMENT, bank.tables(ASSIGNMENT)))


SEARCHES = ("MiniMax", "AlphaBeta", "playing", "evaluation_a")
RIGHT = {"__MACOSX/x.ipynb": "", f"mine/{NAME}.ipynb": handed_in(*SEARCHES)}
ABSENT = {"report.pdf": "%PDF"}
SUBMISSIONS = {  # what lies in the folder of the submission, its score, and what is said
    "right": (RIGHT, 20, ""),
    "wrong": ({"mine.ipynb": handed_in("TicTacToe", *SEARCHES)}, 0, "graded as tic-tac-toe.ipynb"),
    "damaged": ({f"{NAME}.ipynb": handed_in()[:20_000]}, 0, "could not be read"),
    "absent": (ABSENT, 0, "No notebook was handed in. Hand in tic-tac-toe.ipynb"),
}


@pytest.fixture(scope="module")
def packed() -> bytes:
    """The zip for the assignment, without what its reference answers."""
    return gradescope.pack(ASSIGNMENT, unsafe=False)


@pytest.fixture(scope="module")
def asked() -> bytes:
    """The zip as the command writes it."""
    return gradescope.pack(
        suspension.prepared(ASSIGNMENT, course.Course(ROOT).limits()), unsafe=False
    )


def autograder(base: Path, packed: bytes, files: dict[str, str]) -> Path:
    """Lay out a folder as Gradescope lays out /autograder."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(base / "source")
    (base / "results").mkdir()
    for name, text in files.items():
        file = base / "submission" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    (base / "submission_metadata.json").write_text("{}")
    return base


def graded(base: Path, python: str = sys.executable) -> tuple[dict[str, Any], str]:
    """Run the script of the zip; return what students and what instructors see."""
    done = subprocess.run(
        ["bash", base / "source/run_autograder", base, python],
        cwd=base,
        env={name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    results = json.loads((base / "results/results.json").read_text("utf-8"))
    assert set(results) <= TOP
    assert all(set(test) <= TEST for test in results["tests"])
    return results, done.stdout


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that is open to others, as pytest's own are not."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


# --- results.json ---------------------------------------------------------------------------


@pytest.mark.nightly
def test_the_student_reads_what_was_wrong_and_nothing_hidden(folder: Path, asked: bytes) -> None:
    """Has each its score and its words, without lines of hidden checks, paths and details?"""
    results = dict[str, dict[str, Any]]()
    for name, (files, score, output) in SUBMISSIONS.items():
        results[name], _ = graded(autograder(folder / name, asked, files))
        scores = sum(test.get("score", 0) for test in results[name]["tests"])
        assert results[name]["score"] == score == pytest.approx(scores, abs=0.01)
        assert output in results[name]["output"]
    assert "still raises NotImplementedError" in results["wrong"]["tests"][0]["output"]
    text = json.dumps(results)
    assert "tests/hidden" not in text and "Traceback" not in text
    lines = "\n".join(file.read_text("utf-8") for file in ASSIGNMENT.hidden.glob("*.py"))
    code = {line.strip() for line in lines.splitlines() if "assert " in line and len(line) > 30}
    assert [line for line in code if json.dumps(line)[1:-1] in text] == []


def report_with(*checks: CheckResult, score: float | None) -> Report:
    mark = CellMark("test_f", "f", score, 6, score is None)
    found = [Explanation("f")]
    return Report("x", score or 0, 6, [mark], list(checks), [], [], found, [], [], {"": Cost(1.24)})


def check(verdict: str, points: float, most: float) -> CheckResult:
    name, found = f"t.py::test_{most}", Verdict(verdict)
    return CheckResult(name, "f", verdict, found, points, most, "why", details="SECRET")


def test_each_check_has_its_points_but_where_ours_has_failed() -> None:
    """Is the time told, and a cell with such a check left to a human, in plain words?"""
    found = gradescope.results(report_with(check("pass", 2, 2), check("wrong", 0, 4), score=2))
    assert [(t["score"], t["max_score"], t["number"]) for t in found["tests"]] == [
        (2, 2, "1.1"), (0, 4, "1.2")
    ]  # fmt: skip
    assert found["execution_time"] == 1.2
    unmarked = report_with(check("referee-error", 0, 2), check("pass", 1, 1), score=None)
    found = gradescope.results(unmarked)
    ours, passed, note = found["tests"]
    assert "on our side" in ours["output"]
    assert "status" not in ours
    assert passed["status"] == "passed"
    assert "6 points, which are not in the score yet" in note["output"]
    assert not any("score" in test for test in (found, *found["tests"]))
    assert "SECRET" not in json.dumps(found)
    assert gradescope.results(report_with(score=None))["tests"] == [note | {"number": "1.1"}]


# --- the zip --------------------------------------------------------------------------------


def test_the_zip_holds_what_grading_takes(packed: bytes) -> None:
    """Are the scripts bash and executable, and is there no solution, and no setting that judging
    needs not, as the password of a gradebook?
    """
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        modes = {i.filename: stat.filemode(i.external_attr >> 16) for i in archive.infolist()}
        content = {name: archive.read(name) for name in modes}
    for name in gradescope.SCRIPTS:
        assert content[name].startswith(b"#!/usr/bin/env bash\n") and b"\r" not in content[name]
        done = subprocess.run(["bash", "-n"], input=content[name], capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
    assert {name for name, mode in modes.items() if "x" in mode} == gradescope.SCRIPTS.keys()
    text = b"".join(content.values()).replace(b'"### BEGIN SOLUTION', b"")
    kept = [name for name in modes if name.startswith(("source/", "submitted/", "bank/"))]
    assert b"BEGIN SOLUTION" not in text and kept == ["source/requirements.txt"]
    assert "adversarial/diagnosis/misconceptions.toml" in modes
    settings = content[course.CONFIG].decode()
    assert "c.Limits.check_cpu_seconds = 3.0\n" in settings and "db_url" not in settings
    names = {line.partition(" = ")[0].rpartition(".")[0] for line in settings.splitlines()[1:]}
    assert names == {"c.Autograde", "c.Course", "c.CourseDirectory", "c.Limits"}


@pytest.mark.nightly
def test_the_command_writes_the_zip(tmp_path: Path, packed: bytes) -> None:
    """Does `referee gradescope` write it, with what the reference answers, and say --unsafe?"""
    file = tmp_path / "unsafe.zip"
    run(tmp_path, "referee", "gradescope", NAME, str(file), "--course", str(ROOT), "--unsafe")
    with zipfile.ZipFile(io.BytesIO(packed)) as archive, zipfile.ZipFile(file) as other:
        assert other.namelist() == archive.namelist()
        settings = json.loads(other.read(gradescope.SETTINGS))
    assert settings["unsafe"] and settings["reference"]["data"], "the reference was not asked"


# --- when something of ours fails -----------------------------------------------------------


CHECK = f"tests/hidden/{NAME}/test_minimax.py"


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("damaged", "text", "told"),
    [
        (CHECK, "def secret(:", "def secret(:"),
        (CHECK, "secret = 1", "there are no checks"),
        (gradescope.SETTINGS, "", "Input data was truncated"),
    ],
)
def test_a_mistake_of_ours_is_said_and_takes_no_points(
    tmp_path: Path, asked: bytes, damaged: str, text: str, told: str
) -> None:
    """Do students read that it is not their work, and instructors alone what has happened?"""
    base = autograder(tmp_path, asked, RIGHT)
    for file in (base / "source" / damaged).parent.glob("test_*.py"):
        file.unlink()
    (base / "source" / damaged).write_text(text)
    found, output = graded(base)
    assert not any("score" in one for one in (found, *found["tests"]))
    assert "on our side" in found["output"]
    assert told in output and told not in json.dumps(found)


def test_without_a_python_there_are_results_all_the_same(tmp_path: Path, packed: bytes) -> None:
    """Is there a results.json when grading did not even begin, or was killed?"""
    base = autograder(tmp_path, packed, RIGHT)
    found, output = graded(base, python=str(tmp_path / "no/python"))
    assert "score" not in found
    assert "stopped before it was done" in found["output"]
    assert "No such file" in output


# --- who can do harm ------------------------------------------------------------------------


def test_grading_takes_a_layer_that_keeps_code_from_checks_and_results() -> None:
    """Is another user enough in a container of one submission, and nothing at all refused?"""
    for more in "own user", "Landlock", "read-only system without the course":
        assert gradescope.keeps_out([*LAYERS, more])
    for others in (), ("system call filter", "resource limits", "no privileges"):
        assert not gradescope.keeps_out([*LAYERS, *others])


def test_checks_and_results_are_closed_to_other_users(folder: Path, packed: bytes) -> None:
    """Are checks, results, submission and what is known of the student the grader's alone?

    Is student code told to be another user, if root grades?
    """
    closed = autograder(folder / "closed", packed, ABSENT)
    _, output = graded(closed)
    for name in gradescope.SECRET:
        found = (closed / name).stat()
        assert stat.S_IMODE(found.st_mode) & 0o077 == 0, name
        assert found.st_uid == os.geteuid()
    assert os.geteuid() != 0 or "own user" in output
