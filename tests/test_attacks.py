"""Every cheat of the bank is let loose in a baited course, and gains, reads and leaves nothing.

`pytest tests/test_attacks.py -k NAME` judges one cheat. What cannot be told as a file of the bank,
because the file that is handed in is itself the attack, follows below: those go through the real
commands and into a real gradebook, in the small course: what it is about makes no difference.
"""

import copy
import json
import os
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from queue import Queue
from typing import Any

import attacks
import pytest
import small_course as small
from attacks import NAME
from formgrading import judge_afresh, rows, run
from sample_class import CELLS

from referee import course
from referee.judging import session
from referee.judging.plugin import Host
from referee.proof import audit, bank
from referee.sandbox.outside.submission import Submission
from referee.sandbox.outside.zygote import Zygote

ROOT = Path(__file__).parents[1]
NOTEBOOK = f"{small.NAME}.ipynb"

pytestmark = pytest.mark.proof
CHEATS = {
    solution.file.stem: solution
    for solution in bank.read_all(course.find_assignment(ROOT, NAME))
    if solution.kind == "cheat"
}
GRADERS = 2
TIMES = int(os.environ.get("TIMES", "2"))
HONEST_WORK = (
    ("right/starts_threads", "MiniMax"),
    ("right/leaves_files", "AlphaBeta"),
    ("right/takes_200_megabytes", "evaluation_a"),
)
if TIMES > 2:
    HONEST_WORK += (
        ("right/chatters", "MiniMax"),
        ("right/computes_for_seconds", "MiniMax"),
        ("right/warns", "MiniMax"),
    )
FEWEST = 40


# --- the corpus ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def token() -> str:
    """Give the text of the canaries."""
    return f"canary-{secrets.token_hex(16)}"


@pytest.fixture(scope="module")
def outcomes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, token: str
) -> Iterator[dict[str, Future[attacks.Outcome]]]:
    """Judge all that the chosen tests ask for, two at a time; give what will come of each."""
    wanted = [
        item.callspec.params["name"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and "outcomes" in item.fixturenames
    ]
    folders = [tmp_path_factory.mktemp("bait") / "grader" for _ in range(GRADERS)]
    graders = [attacks.Grader(folder, token) for folder in folders]
    free: Queue[attacks.Grader] = Queue()
    for grader in graders:
        free.put(grader)

    def judge(name: str) -> attacks.Outcome:
        grader = free.get()
        try:
            return grader.judge(name)
        finally:
            free.put(grader)

    with attacks.services(token), ThreadPoolExecutor(GRADERS) as pool:
        yield {name: pool.submit(judge, name) for name in wanted}
        pool.shutdown(cancel_futures=True)
    for grader in graders:
        grader.close()


@pytest.mark.parametrize("name", [f"{attacks.BLANK}{cell}" for cell in CELLS])
def test_a_blank_cell_passes_no_check(
    outcomes: dict[str, Future[attacks.Outcome]], name: str
) -> None:
    """Is every point that a cheat gets in its cell a point gained?"""
    judged = outcomes[name].result().judged
    assert judged is not None and judged.checks
    assert [check.id for check in judged.checks if check.points] == []


@pytest.mark.parametrize("name", [f"cheat/{stem}" for stem in CHEATS])
def test_a_cheat_gets_nothing(
    outcomes: dict[str, Future[attacks.Outcome]], token: str, name: str
) -> None:
    """No points, no canary, no file, no process left, no time lost, no check of ours broken?"""
    outcome = outcomes[name].result()
    solution = CHEATS[name.removeprefix("cheat/")]
    found = attacks.problems(solution, outcome, token)
    assert not found, "\n".join([solution.idea, *found])


def test_the_corpus_is_as_large_as_promised() -> None:
    """Are there at least 40 cheats, each with one idea of its own?"""
    ideas = {solution.idea for solution in CHEATS.values()}
    assert len(ideas) == len(CHEATS) >= FEWEST


# --- the bait itself -----------------------------------------------------------------------------


def test_the_bait_can_be_taken(tmp_path: Path, token: str) -> None:
    """Would a canary in an output, a changed file and a new one be noticed?"""
    attacks.lay_bait(tmp_path / "course", tmp_path / "home", token)
    before = attacks.contents(tmp_path)
    assert sum(token.encode() in Path(file).read_bytes() for file in before) == 7
    (tmp_path / "course" / "gradebook.db").write_bytes(b"owned")
    (tmp_path / "home" / "owned").touch()
    (tmp_path / "course" / "games.py").unlink()
    after = attacks.contents(tmp_path)
    changed = {Path(n).name for n in before.keys() | after.keys() if before.get(n) != after.get(n)}
    assert changed == {"gradebook.db", "owned", "games.py"}
    cheat = CHEATS["lies_in_its_repr"]
    outcome = attacks.Outcome(attacks.Judged([], [], ["7 sleep"]), f"say {token}", ["x"], 1.0)
    assert attacks.problems(cheat, outcome, token) == [
        "survives, as there is no check test_fig52_moves for the cell MiniMax",
        "a canary is in what the submission has put out",
        "changed: x",
        "left behind: 7 sleep",
    ]
    assert attacks.problems(cheat, attacks.Outcome(None, "", [], 120.0), token) == [
        "it has ended the grader, or held it for 120 seconds"
    ]


# --- honest work -----------------------------------------------------------------------------


def busy(_: int) -> None:
    """Keep a processor busy until the process is ended."""
    while True:
        sum(range(10_000))


def verdicts(name: str, cell: str) -> list[tuple[str, str, str]]:
    """Judge a solution of the bank by the checks of one cell, with the limits of the course."""
    assignment = course.find_assignment(ROOT, NAME)
    solution = bank.read(ROOT / "bank" / NAME / f"{name}.py")
    cells, limits = audit.prepared(assignment, solution, course.limits(ROOT))
    with (
        Zygote(limits, assignment.subject) as zygote,
        Submission(zygote, cells, assignment.support, limits) as running,
    ):
        markers = session.markers(assignment)
        mine = {name for name, marker in markers.items() if marker["cell"] == cell}
        checks = session.run_checks(assignment, Host(running), mine)
        failed = [("a cell", run.error, "") for run in running.runs if run.error]
    return failed + [(check.id, check.verdict, check.message) for check in checks]


def test_honest_work_is_judged_alike_while_the_machine_is_busy() -> None:
    """Do solutions with threads, files and much memory pass each time, next to a busy process
    for each core?
    """
    spawn = get_context("spawn")
    load = [spawn.Process(target=busy, args=(n,), daemon=True) for n in range(os.cpu_count() or 2)]
    for process in load:
        process.start()
    try:
        with ProcessPoolExecutor(len(HONEST_WORK), mp_context=spawn) as pool:
            found = [pool.submit(verdicts, *work) for work in HONEST_WORK for _ in range(TIMES)]
            results = [future.result() for future in found]
    finally:
        for process in load:
            process.kill()
            process.join()
    assert all(results)
    assert [one for result in results for one in result if one[1] != "pass"] == []


# --- what is handed in is the attack -------------------------------------------------------------

HONEST = {
    "test_double": (6, None, False),
    "test_square": (0, None, False),
}  # what the code is worth: only one of two is right
EVIL = "import os\nopen(os.path.join({root!r}, 'owned'), 'w').close()\n"
CARRIED = (
    "games.py", "check.py", "conftest.py", "nbgrader_config.py", "sitecustomize.py", "referee.py",
    "test_numbers.py", "tests/hidden/numbers/test_square.py", "pytest.py",
)  # fmt: skip
PRICES = ((1000, "nan"), (-1, 1e308), (None, 50))
NAMES = ("x'); drop table grade; --", "x; touch owned", "$(touch owned)", "-f")
MARKUP = ('x" onclick="owned', "<b onclick=owned>")
Submit = Callable[[Path, dict[str, Any]], None]


def write(folder: Path, notebook: dict[str, Any]) -> None:
    """Hand a notebook in as everybody does."""
    folder.mkdir(parents=True)
    (folder / NOTEBOOK).write_text(json.dumps(notebook), "utf-8")


def graded(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the test cells of a notebook."""
    cells: list[dict[str, Any]] = notebook["cells"]
    return [cell for cell in cells if str(cell["id"]).startswith("test_")]


def edited(folder: Path, notebook: dict[str, Any]) -> None:
    """Let the test cells say something else, and end with the mark that is wanted."""
    for cell in graded(notebook):
        cell["source"] = "print('all is well')\n6.0"
    write(folder, notebook)


def deleted(folder: Path, notebook: dict[str, Any]) -> None:
    """Leave the test cells out."""
    gone = [cell["id"] for cell in graded(notebook)]
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] not in gone]
    write(folder, notebook)


def retyped(folder: Path, notebook: dict[str, Any]) -> None:
    """Turn the test cells into text that a human has to mark."""
    for cell in graded(notebook):
        cell["cell_type"] = "markdown"
        cell["metadata"]["nbgrader"] |= {"solution": True, "cell_type": "markdown"}
        del cell["outputs"], cell["execution_count"]
    write(folder, notebook)


def repriced(prices: tuple[Any, ...], folder: Path, notebook: dict[str, Any]) -> None:
    """Claim more points, points that are no number, and points for cells that have none."""
    for cell, points in zip(graded(notebook), prices, strict=True):
        cell["metadata"]["nbgrader"]["points"] = points
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["metadata"]["nbgrader"] |= {"grade": True, "points": 50, "schema_version": 99}
    write(folder, notebook)


def tagged(folder: Path, notebook: dict[str, Any]) -> None:
    """Ask nbclient to skip the cells and to expect errors, and nbconvert to drop them."""
    for cell in notebook["cells"]:
        cell["metadata"]["tags"] = ["skip-execution", "raises-exception", "remove_cell"]
    write(folder, notebook)


def already_marked(folder: Path, notebook: dict[str, Any]) -> None:
    """Hand in outputs that look like a mark, and a second test cell of each name."""
    value = {"output_type": "execute_result", "data": {"text/plain": "6"}, "metadata": {}}
    for cell in graded(notebook):
        cell["outputs"] = [value | {"execution_count": 1}]
        notebook["cells"].append(copy.deepcopy(cell) | {"id": f"{cell['id']}-again"})
    write(folder, notebook)


def other_kernel(folder: Path, notebook: dict[str, Any]) -> None:
    """Name a kernel and a language that would run another program."""
    spec = {"name": "bash", "display_name": "bash", "language": "bash", "argv": ["touch", "owned"]}
    notebook["metadata"]["kernelspec"] = spec
    notebook["metadata"]["language_info"] = {"name": "bash", "file_extension": "/../../owned"}
    write(folder, notebook)


def several(folder: Path, notebook: dict[str, Any]) -> None:
    """Hand in the reference solution under other names beside the notebook."""
    write(folder, notebook)
    solved = json.dumps(small.notebook(**small.SOLVED))
    for name in (f"{small.NAME}-2", "NUMBERS", "a", ".", "$(touch owned)"):
        (folder / f"{name}.ipynb").write_text(solved)


def carrying(folder: Path, notebook: dict[str, Any]) -> None:
    """Bring a library, checks and settings along, which leave a trace in the course when run."""
    write(folder, notebook)
    for name in CARRIED:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(EVIL.format(root=str(folder.parents[2])))


def linked_file(folder: Path, notebook: dict[str, Any]) -> None:
    """Hand in a link to the instructor's notebook."""
    folder.mkdir(parents=True)
    (folder / NOTEBOOK).symlink_to(folder.parents[2] / "source" / small.NAME / NOTEBOOK)


def linked_folder(folder: Path, notebook: dict[str, Any]) -> None:
    """Hand in a link to the folder with the instructor's notebook."""
    folder.parent.mkdir(parents=True)
    folder.symlink_to(folder.parents[2] / "source" / small.NAME)


def links_beside(folder: Path, notebook: dict[str, Any]) -> None:
    """Put links to the course's secrets beside the notebook, to be handed back with it."""
    write(folder, notebook)
    (folder / "notes.txt").symlink_to(folder.parents[2] / "gradebook.db")
    (folder / "checks").symlink_to(folder.parents[2] / "tests" / "hidden")


HANDED_IN: dict[str, Submit] = {
    submit.__name__: submit
    for submit in (
        edited, deleted, retyped, tagged, already_marked, other_kernel, several, carrying,
        links_beside,
    )
}  # fmt: skip
HANDED_IN |= dict.fromkeys(NAMES, write)
HANDED_IN |= {f"repriced-{prices[0]}": partial(repriced, prices) for prices in PRICES}
LINKS: dict[str, Submit] = {"linked_file": linked_file, "linked_folder": linked_folder}


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course in which a class of attackers has been graded."""
    root = small.make(tmp_path_factory.mktemp("attacked") / "course")
    notebook = small.notebook(double=small.SOLVED["double"], square="def square(n): ...")
    for name, submit in (HANDED_IN | LINKS | dict.fromkeys(["honest", *MARKUP], write)).items():
        submit(root / "submitted" / name / small.NAME, copy.deepcopy(notebook))
    (root / "said.txt").write_text(small.grade(root, status=1))
    return root


def test_a_file_that_attacks_gets_the_marks_of_its_code(handed_in: Path) -> None:
    """Does every way to tamper with the file leave the marks at what the code is worth?

    A link to the instructor's notebook gets no points, and a folder whose name would be markup or
    code on a page is left alone, which is said.
    """
    found = rows(handed_in, small.NAME)
    links = {name: found.pop(name, {}) for name in LINKS}
    assert found == dict.fromkeys(["honest", *HANDED_IN], HONEST)
    assert not any(score for marks in links.values() for score, _, _ in marks.values())
    said = (handed_in / "said.txt").read_text()
    reason = said.index("need you: no student is called that")
    assert all(name in said[reason:].partition("\n")[0] for name in MARKUP)


def test_nothing_that_was_handed_in_has_run_in_the_course(handed_in: Path) -> None:
    """Is there no trace of the files that students brought along, or of the names they chose?"""
    assert [str(file) for file in handed_in.rglob("owned")] == []


def test_no_secret_is_copied_beside_a_marked_notebook(handed_in: Path) -> None:
    """Does nothing below autograded/ hold what a link has pointed to?"""
    secret = (handed_in / "tests" / "hidden" / small.NAME / "test_square.py").read_bytes()
    start = (handed_in / "gradebook.db").read_bytes()[:16]
    for file in (handed_in / "autograded").rglob("*"):
        assert not file.is_symlink(), file
        if file.is_file():
            content = file.read_bytes()
            assert content != secret and not content.startswith(start), file


def test_nbgrader_itself_comes_to_the_same_marks(handed_in: Path) -> None:
    """Does the other door, judging afresh, write the same rows?"""
    before = rows(handed_in, small.NAME)
    judge_afresh(handed_in)
    run(handed_in, "nbgrader", "autograde", small.NAME, "--force", "--student", "[!lx]*")
    assert rows(handed_in, small.NAME) == before


def test_a_student_id_that_is_a_path_is_refused(handed_in: Path) -> None:
    """Does naming a folder outside end in a sentence, with nothing read or written?

    `test_folder` asks what else leads elsewhere.
    """
    before = rows(handed_in, small.NAME)
    assert "Traceback" not in small.grade(handed_in, "--student", "honest/../../x", status=2)
    assert rows(handed_in, small.NAME) == before
