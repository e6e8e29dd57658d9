"""Ask whether each solution of the bank says what it is about, and what must catch it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee import course
from referee.model import Limits
from referee.proof import audit, bank

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "bank").glob("*/*/*.py"))


def test_the_bank_is_read_folder_by_folder():
    """Is every file of the five folders there, and called by its folder and name?"""
    solutions = [one for name in course.assignments(ROOT)
                 for one in bank.read_all(course.Assignment(name, ROOT))]  # fmt: skip
    assert sorted(solution.file for solution in solutions) == FILES
    for solution in solutions:
        assert solution.idea
        assert not set(solution.idea.splitlines()) & {
            f"{n}: {t}" for n, t in solution.fields.items()
        }


def missing(file: Path) -> list[str]:
    """Return what a solution names, or should, that no hidden check has."""
    solution = bank.read(file)
    hidden = (ROOT / "tests" / "hidden" / file.parts[-3]).glob("test_*.py")
    checks = "".join(source.read_text("utf-8") for source in hidden)
    names = solution.fields.get("Caught by", "").replace(",", " ").split()
    if solution.kind == "right":
        return []
    wanted = [f'cell="{solution.fields.get("Cell")}"', *(f"def {name}(" for name in names)]
    return [one for one in wanted if one not in checks] + ["Caught by"][bool(names) :]


def test_every_solution_that_is_not_right_names_a_check_that_exists():
    """Does each mistake say its cell and the check that must catch it, and are they there?"""
    offenders = {str(file.relative_to(ROOT)): missing(file) for file in FILES}
    assert {file: names for file, names in offenders.items() if names} == {}


def test_every_wrong_solution_says_whether_its_mistake_is_frequent():
    """Does each of the course's own, and is the line no part of the idea or the fields?"""
    wrong = [bank.read(file) for file in FILES if file.parent.name == "wrong"]
    assert [one.name for one in wrong if one.frequent is None] == []
    assert [one.name for one in wrong if "Frequent" in one.idea or "Frequent" in one.fields] == []
    assert {one.frequent for one in wrong} == {True, False}


def test_alone_a_wrong_solution_fails_exactly_the_checks_it_names(tmp_path):
    """Does `--notebook FILE` judge that file: do the checks fail that are about its mistake?"""
    assignment = course.find_assignment(ROOT, "tic-tac-toe")
    solution = bank.read(ROOT / "bank" / "tic-tac-toe" / "wrong" / "never_cuts.py")
    notebook = bank.notebook(solution, assignment, bank.tables(assignment))
    handed_in = tmp_path / "never_cuts.ipynb"
    handed_in.write_text(json.dumps(notebook), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v"]
    done = subprocess.run(
        [*command, "tests/hidden/tic-tac-toe", "--notebook", handed_in],
        cwd=ROOT, env=os.environ | {"COLUMNS": "200"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    texts = [path.read_text("utf-8") for path in assignment.hidden.glob("test_*.py")]
    checks = re.findall(r"^def (test_\w+)", "".join(texts), re.MULTILINE)
    named = solution.fields["Caught by"].split()
    ended = {
        name: sorted(re.findall(rf"::(\w+) {name}\b", done.stdout))
        for name in ("FAILED", "SKIPPED", "PASSED")
    }
    assert named == ["test_fig52_pruning"]
    cuts = ["test_cuts_for_max", "test_cuts_for_min", "test_fig52_pruning"]
    assert ended["FAILED"] == [*cuts, "test_tree_pruning", "test_windows"]
    assert ended["SKIPPED"] == []
    assert sorted(name for names in ended.values() for name in names) == sorted(checks)


@pytest.mark.parametrize("played", [True, False])
def test_a_solution_that_is_judged_for_nobody_keeps_the_id_of_the_reference(played):
    """Are the answers about a personal tree about the tree of the reference, whoever plays?"""
    task = course.find_assignment(ROOT, "game-trees")
    solution = bank.read(task.bank / "loop" / "minmax_state_stays.py")
    cells, _ = audit.prepared(task, solution, Limits(), played)
    told = [
        line for cell in cells for line in cell.source.splitlines() if line[:12] == "student_id ="
    ]
    assert told == ['student_id = "reference"']
