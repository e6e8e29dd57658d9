"""Ask whether values of a check that share a process are judged as if each stood for itself.

A tiny course has a check for each way in which one value could harm another. It is judged in
several orders, and again after edits, with what was kept and afresh, in processes of their own.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import judge_editions
import judge_orders
import nim_course
import pytest

COURSES = Path(__file__).parents[1] / "courses"
WORK = (COURSES / "shared" / "work.py").read_text("utf-8")
LOST = {  # by check, the verdicts of its values that are no pass
    "dies": {"6": "killed"},
    "crashes": {"1": "killed"},
    "hangs": {"3": "timeout"},
    "eats": {"2": "memory"},
    "busy": {"1": "work-limit"},
    "forging": {"1": "tampered"},
    "honest": {"": "wrong"},
    "honest_shared": {"0": "wrong", "1": "wrong"},
    "in_our_hands": {"1": "wrong"},
    "remembers": {"1": "wrong", "2": "wrong", "3": "wrong"},
    "accident": {"1": "wrong", "2": "wrong", "3": "wrong"},
}

SHARED = """import pytest

processes = []


@pytest.mark.check(cell="Nim", points=1, hint="", shared=True)
@pytest.mark.parametrize("n", range(3))
def test_shared(student, n):
    student.Nim
    processes.append(student._process.pid)


@pytest.mark.check(cell="Nim", points=1, hint="", needs="test_shared[2]")
def test_shared_by_all():
    assert len(processes) == 2
    assert len(set(processes)) == 1
"""
NEVER_KEPT = ("dies", "crashes", "lying_in_wait")  # what has killed a process is asked for ever
DOUBLE = '@shared()\n@each("n", range(30))'
REMEMBERS = '@shared()\n@each("n", range(4))\ndef test_remembers'
SILENT = {  # what no process is needed for
    "its title": ('It doubles"""', 'It makes two of one"""'),
    "where a value is stopped": ("It never ends for", "It does not end for"),
    "where one stops another": ("makes another never end", "holds up another"),
    "where a thread was left": ("takes the time of", "computes during"),
    "where a function fails": ("own fails at", "own ends at"),
    "the clock": ("where the check has set it", "still"),
    "fewer at the end": (DOUBLE, '@shared()\n@each("n", range(20))'),
}
ASKED = {  # and what all values are asked again for
    "one question": ("student.double(n) == 2 * n,", "student.double(n % 29) == 2 * (n % 29),"),
    "one value more": (DOUBLE, '@shared()\n@each("n", range(31))'),
    "another order": (REMEMBERS, REMEMBERS.replace("range(4)", "[0, 2, 1, 3]")),
    "without the first": (REMEMBERS, REMEMBERS.replace("range(4)", "[1, 2, 3]")),
    "apart": (REMEMBERS, REMEMBERS.replace("shared()", "check()")),
    "together": (
        '@check()\n@each("n", range(3))\ndef test_double_apart',
        '@shared()\n@each("n", range(3))\ndef test_double_apart',
    ),
}


def course(root: Path) -> Path:
    """Put the course into a folder, with the library of another one."""
    shutil.copytree(COURSES / "shared", root, dirs_exist_ok=True)
    shutil.copy(COURSES / "transcripts" / "nbgrader_config.py", root)
    shutil.copytree(nim_course.ROOT / "nim", root / "nim")
    shutil.copy(nim_course.ROOT / "piles.py", root)
    (root / "release" / "a").mkdir(parents=True)
    (root / "release" / "a" / "a.ipynb").write_text("{}")
    return root


def said(command: list[Any], given: str) -> Any:
    """Return what a program writes as JSON."""
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def lost(verdicts: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return the verdicts that are no pass, by check and value."""
    found: dict[str, dict[str, str]] = {}
    for name, verdict in verdicts.items():
        if verdict != "pass":
            check, _, value = name.partition("::test_")[2].partition("[")
            found.setdefault(check, {})[value.rstrip("]")] = verdict
    return found


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """The verdicts in the order of the file, in another one, and up to the first lost check."""
    root = course(tmp_path_factory.mktemp("orders"))
    found: list[dict[str, str]] = said([judge_orders.__file__, root], WORK)
    return found


def test_no_value_pays_for_another(orders: list[dict[str, str]]) -> None:
    """Is only lost what is wrong for itself, or by what its author agreed to share?"""
    assert lost(orders[0]) == LOST


def test_another_order_of_the_checks_changes_nothing(orders: list[dict[str, str]]) -> None:
    """Do the values stay together, and in their order, where checks are shuffled?"""
    assert list(orders[0]) != list(orders[1])
    assert orders[0] == orders[1]


def test_the_first_lost_check_is_run_whole(orders: list[dict[str, str]]) -> None:
    """Have all values of it a verdict, and those of the next one none?"""
    assert lost(orders[2]) == {"dies": LOST["dies"]}
    assert list(orders[2]) == list(orders[0])[: len(orders[2])]
    assert "dies[9]" in list(orders[2])[-1]


@pytest.fixture(scope="module")
def editions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """How many processes of a student each edition took, and what it said, then and afresh."""
    root = course(tmp_path_factory.mktemp("editions"))
    checks = root / "tests/hidden/a/test_it.py"
    parts = checks.read_text("utf-8").split("\n\n\n")
    kept = [part for part in parts if not any(f"def test_{one}(" in part for one in NEVER_KEPT)]
    checks.write_text("\n\n\n".join(kept), "utf-8")
    given = json.dumps([WORK, SILENT | ASKED, []])
    found: dict[str, Any] = said([judge_editions.__file__, root], given)
    return found


@pytest.mark.parametrize("edit", SILENT)
def test_values_that_ask_what_they_asked_start_no_process(
    editions: dict[str, Any], edit: str
) -> None:
    """Does a transcript answer all of them, though the process was stopped at one?"""
    started, again, fresh = editions[edit]
    assert started == 0
    assert again == fresh


@pytest.mark.parametrize("edit", ASKED)
def test_values_are_asked_again_together(editions: dict[str, Any], edit: str) -> None:
    """Is each verdict that of judging afresh, where one of the conversations before has changed?"""
    started, again, fresh = editions[edit]
    assert started == 1
    assert again == fresh


def test_pytest_alone_lets_values_share(tmp_path: Path) -> None:
    """Is there one process on the reference as well, of those values that are chosen?"""
    shutil.copytree(nim_course.ROOT, tmp_path / "nim")
    (tmp_path / "nim/tests/hidden/nim/test_shared.py").write_text(SHARED, "utf-8")
    program = [sys.executable, "-m", "pytest", "-p", "referee.judging.plugin", "-v"]
    done = subprocess.run(
        [*program, "-p", "no:cacheprovider", "-k", "shared and not 1", "tests/hidden/nim"],
        cwd=tmp_path / "nim", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.count("PASSED") == 3, done.stdout
