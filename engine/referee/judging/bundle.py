"""Copy all files that judging an assignment needs, to judge it by them whatever becomes of it here.

Solutions, submissions and results are not among them.
"""

from pathlib import Path

import msgspec

from referee import course
from referee.course import CONFIG, Assignment, Course, files_in
from referee.intake import testcells
from referee.judging import digests


def copied(assignment: Assignment, root: Path) -> Assignment:
    """Write the files into an empty folder; return the assignment there."""
    for name, content in files(assignment).items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return assignment._replace(course=Course(root))


def files(assignment: Assignment) -> dict[str, bytes]:
    """Return the files of the course that judging an assignment needs, by their paths in it."""
    root = assignment.root
    own = [
        folder / name
        for folder in filter(Path.is_dir, (assignment.hidden, assignment.release.parent))
        for name in files_in(folder)
    ]
    support = {
        assignment.source.parent / name
        for name in assignment.given
        if not (assignment.release.parent / name).is_file()
    }
    shared = [*digests.subject_files(assignment.course), *map(Path, assignment.subject.library)]
    needed = {*own, *shared, *filter(Path.is_file, support), *digests.imported(root, own)}
    listed = assignment.course.folder("source") / course.REQUIREMENTS
    needed |= {listed} if listed.is_file() else set()
    found = {file.relative_to(root).as_posix(): file.read_bytes() for file in sorted(needed)}
    name = assignment.course.settings.subject
    settings = f"c = get_config()\nc.Course.packages = {list(assignment.course.packages)!r}\n"
    for step in "source", "release":
        place = assignment.course.folder(step).relative_to(root).as_posix()
        settings += f"c.CourseDirectory.{step}_directory = {place!r}\n"
    if kept := assignment.course.kept(assignment.name):
        settings += f"c.Autograde.exclude_overwriting = {{{assignment.name!r}: {sorted(kept)!r}}}\n"
    if assignment.course.settings.blank_is_zero:
        settings += "c.Course.blank_is_zero = True\n"
    if assignment.course.settings.asserts:
        settings += "c.Course.asserts = True\n"
        tests = msgspec.json.encode(testcells.tests(assignment))
        found[testcells.packed_file(assignment).relative_to(root).as_posix()] = tests
    if name is not None:
        settings += f"c.Course.subject = {name!r}\n"
    return found | {CONFIG: settings.encode()}
