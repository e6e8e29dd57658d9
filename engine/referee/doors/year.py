"""Close a year of a course and start the next: an archive, an empty class, new secrets.

The archive is a course folder with its class, in which results can be replayed as before.
"""

import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from referee import course, intake
from referee.course import CONFIG, SEED, CourseError
from referee.judging import cache
from referee.marks import files, roster, secret

STEPS = ("submitted", "autograded", "feedback", "viva")  # folders with one for each student
RESULTS = cache.FILE.parent.name
MADE = (  # files about the class, in the course's folder, but for those that the course hands out
    "*.jsonl", "*.csv", "report-*.html", "ladder-*.html", "feedback-*.zip", "gradebook.db.*",
    "viva-*.html", "viva-*.pdf",
)  # fmt: skip
ANSWERS = "viva.json"  # of the questions on students' code, by the digest of an id
BEGUN = ".closing"  # says where the archive is while the class is taken away
STAYS = ("README.md",)  # it says what a folder of `STEPS` is for


def close(root: Path, archive: Path) -> list[str]:
    """Copy a course with its class to `archive`, which must not exist, and empty the class.

    Returns the students. The archive is complete before anything is deleted; until all is deleted,
    a file in both folders says so, and the same call continues after one that was killed.
    """
    begun = root / BEGUN
    place = Path(begun.read_text("utf-8")) if begun.is_file() else archive
    if begun.is_file() and (place / BEGUN).is_file():
        if place != archive:
            raise CourseError(
                "closing the year was stopped half-way; finish it with "
                f"`referee year {quote(str(place))}`"
            )
    else:
        shutil.rmtree(files.half_of(place), ignore_errors=True)
        _copy(root, archive)
    _empty(root)
    begun.unlink()
    (archive / BEGUN).unlink()
    return sorted({*roster.known(archive), *_handed_in(archive)})


def _empty(root: Path) -> None:
    roster.remove(root, roster.known(root))
    roster.clear_dates(root)
    for place in class_files(root):
        shutil.rmtree(place) if place.is_dir() and not place.is_symlink() else place.unlink()
    for seed in (root / "tests" / "hidden").rglob(SEED):
        seed.unlink()
    secret.forget(root)
    for part in course.all_parts(root):
        course.draw_seed(part)


def class_files(root: Path) -> Iterator[Path]:
    """Yield the files and folders that are about the class, but for the gradebook."""
    for step in STEPS:
        folder = course.folder(root, step)
        yield from sorted(one for one in _inside(folder) if one.name not in STAYS)
    if (root / RESULTS).is_dir():
        yield root / RESULTS
    given = {root / path for path in course.handed_out(root)}
    yield from sorted((root / "tests" / "hidden").rglob(ANSWERS))
    for pattern in MADE:
        yield from sorted(set(root.glob(pattern)) - given)


def _handed_in(root: Path) -> list[str]:
    names = (one.name for one in _inside(course.folder(root, "submitted")) if one.is_dir())
    return [name for name in names if intake.STUDENT.fullmatch(name)]


def _inside(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _copy(root: Path, archive: Path) -> None:
    """Copy a course without files that it can make again; the copy is complete or not made."""
    if roster.file(root) is None and roster.known(root):
        raise CourseError(
            "the gradebook is in a database server, which cannot be put into an archive; keep a "
            f"dump of it, name an empty database as c.CourseDirectory.db_url in {CONFIG}, and run "
            "`referee release ASSIGNMENT` for each, and then this again"
        )
    if archive.resolve().is_relative_to(root.resolve()):
        raise CourseError(f"{archive} lies in the course; name a folder beside it")
    try:
        with files.new_folder(archive) as half:
            files.save(root / BEGUN, str(archive).encode())
            shutil.copytree(root, half, symlinks=True, ignore=lambda *inside: _left(root, *inside))
            shutil.copy(root / BEGUN, half)
            roster.file(half)  # a configuration that leads back here would spoil this year's marks
    except shutil.Error as error:
        source, _, why = error.args[0][0]
        raise CourseError(f"{source} cannot be copied ({why}); nothing was changed") from error


def _left(root: Path, folder: str, names: list[str]) -> list[str]:
    """Return the entries of a folder that are not archived: caches, hidden and special files."""
    if Path(folder) == root:
        made = {name for name in names if name.startswith(".") and name != RESULTS} | {"build"}
    else:
        made = {"__pycache__"}
    return [name for name in names if name in made or _odd(Path(folder, name))]


def _odd(place: Path) -> bool:
    mode = place.lstat().st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))
