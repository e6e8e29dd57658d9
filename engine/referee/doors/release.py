"""Make the release of an assignment beside the one that is there, and put it in its place.

nbgrader makes it, with a gradebook of its own; the course's gradebook gets the cells from there.
Until both are whole, release and gradebook are as they were.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from referee import course
from referee.course import CourseError, remake
from referee.marks import cells, entries, files, grade_log, gradebook
from referee.marks.cells import Plan, ReleasedNotebook

NOTEBOOK = re.compile(r"Converting notebook (.+)")  # in what nbgrader says
REASON = re.compile(r"^\s*[\w.]*(?:Error|Exception): (?!Notebook failed)(.+)", re.MULTILINE)
MEANWHILE = (
    "marks or cells in the gradebook have changed since this was asked; nothing was changed; run "
    "this again"
)


def make(
    root: Path,
    name: str,
    agrees: Callable[[list[str]], bool] | None = None,
    said: Mapping[str, str] = MappingProxyType({}),
) -> bool:
    """Make a release if somebody `agrees` to what it changes for those who have handed in.

    Where there is nobody to ask, that is a CourseError. `said` has new names of cells by old ones.
    Returns whether there is a new release.
    """
    source, place = (course.folder(root, step) / name for step in ("source", "release"))
    if not any(source.glob("*.ipynb")):
        raise CourseError(f"{source} has no notebook; name an assignment of the course, or add one")
    with _beside(place) as half:
        new, course_id = _built(root, source, half)
        with gradebook.opened(course.db_url(root)) as book:
            plan = cells.plan(book, name, new, said)
        if plan.lines and agrees is None:
            raise CourseError(
                f"the release of {name} is left as it was: another one changes marks of those who "
                f"have handed in; {remake(name)} tells whose, and asks"
            )
        if plan.lines and agrees and not agrees(plan.lines):
            return False
        with gradebook.opened(course.db_url(root)) as book:
            if plan != cells.plan(book, name, new, said):
                raise CourseError(MEANWHILE)
            _note(root, name, plan, cells.going(book, name, plan))
            with cells.changed(book, name, new, plan, course_id) as commit, _swapped(half, place):
                commit()
        entries.change_cells(root, _keys(root, name, new, plan))
    return True


@contextlib.contextmanager
def _beside(place: Path) -> Iterator[Path]:
    """Give a folder beside a release, and put back what a process that was killed has left."""
    _put_back(place)
    half = files.half_of(place)
    shutil.rmtree(half, ignore_errors=True)
    try:
        half.mkdir(0o700, parents=True)
        yield half
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _note(
    root: Path, name: str, plan: Plan, going: Iterable[tuple[str, str, dict[str, float]]]
) -> None:
    """Write a line into the log for each submission that loses marks."""
    keys = _keys_of(root, name, plan.names)
    for notebook, student, marks in going:
        grade_log.note(root, keys[notebook], student, marks, dict.fromkeys(marks))


def _built(root: Path, source: Path, half: Path) -> tuple[dict[str, ReleasedNotebook], str]:
    """Let nbgrader make a release in a folder; return its notebooks and the id of the course."""
    url = f"sqlite:///{half / 'gradebook.db'}"
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", source.name, "--create"]
    elsewhere = [f"--CourseDirectory.release_directory={half}", f"--CourseDirectory.db_url={url}"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        [*command, *elsewhere], cwd=root, env=os.environ | {"PATH": path},  # for alembic
        stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace",
        check=False,
    )  # fmt: skip
    if done.returncode or not (half / source.name).is_dir():
        raise CourseError(
            f"nbgrader cannot make a release of {source.relative_to(root)}: {_why(done.stderr)}; "
            "put that right and run this again; release and marks are as they were"
        )
    with gradebook.opened(url) as book:
        made = book.find_assignment(source.name)
        return cells.released(book, source.name), str(made.course_id)


def _why(said: str) -> str:
    """Return the notebook in which nbgrader has stopped, and why."""
    notebooks = [f"{Path(name).name}: " for name in NOTEBOOK.findall(said)]
    reasons = dict.fromkeys(REASON.findall(said)) or said.strip().splitlines()[-1:]
    return "".join(notebooks[-1:]) + ("; ".join([*reasons][:2]) or "it says nothing")


def _keys(
    root: Path, name: str, new: Iterable[str], plan: Plan
) -> dict[str, tuple[str, Mapping[str, str]]]:
    """Return by the key of a notebook before the one now, and the names of cells marked alike."""
    old, now = _keys_of(root, name, plan.names), _keys_of(root, name, new)
    return {old[was]: (now[one], plan.alike[was]) for one, was in plan.notebooks.items()}


def _keys_of(root: Path, name: str, notebooks: Iterable[str]) -> dict[str, str]:
    """Return the keys of an assignment's notebooks."""
    parts = course.with_notebooks(root, name, sorted(notebooks))
    return {part.part or name: part.key for part in parts}


@contextlib.contextmanager
def _swapped(half: Path, place: Path) -> Iterator[None]:
    """Put a new folder in the place of the old; take it back if the block ends with an error."""
    old, new = _old(place), half / place.name
    if place.exists():
        place.rename(old)
    try:
        new.rename(place)
        yield
    except BaseException:
        if old.exists():
            shutil.rmtree(place, ignore_errors=True)
            old.rename(place)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _old(place: Path) -> Path:
    return place.with_name(f".{place.name}.old")


def _put_back(place: Path) -> None:
    """Put a release back that was moved aside by a process that was killed then."""
    if _old(place).exists():
        if place.exists():
            shutil.rmtree(_old(place))
        else:
            _old(place).rename(place)
