"""Ask whether each solution of the bank says what it is about, and what must catch it."""

from pathlib import Path

from referee import course
from referee.proof import bank

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
