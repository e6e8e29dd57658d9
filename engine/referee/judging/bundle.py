"""Copy all files that judging an assignment needs, to judge it by them whatever becomes of it here.

Solutions, submissions and results are not among them.
"""

from pathlib import Path

import msgspec

from referee.course import CONFIG, REQUIREMENTS, Assignment, Course, files_in
from referee.intake import testcells
from referee.judging import digests


def write(files: dict[str, bytes], root: Path) -> Course:
    """Write such files into an empty folder; return the course there."""
    for name, content in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return Course(root)


def files(assignment: Assignment) -> dict[str, bytes]:
    """Return the files of the course that judging an assignment needs, by their paths in it."""
    root = assignment.root
    paths = [
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
    all_paths = {*paths, *shared, *filter(Path.is_file, support), *digests.imported(root, paths)}
    requirements = assignment.course.folder("source") / REQUIREMENTS
    all_paths |= {requirements} if requirements.is_file() else set()
    contents = {file.relative_to(root).as_posix(): file.read_bytes() for file in sorted(all_paths)}
    course = assignment.course
    setup: dict[str, object] = {
        f"CourseDirectory.{step}_directory": course.folder(step).relative_to(root).as_posix()
        for step in ("source", "release")
    }
    setup["Autograde.exclude_overwriting"] = {assignment.name: sorted(course.kept(assignment.name))}
    setup |= {
        f"Course.{name}": value for name, value in msgspec.structs.asdict(course.settings).items()
    }
    setup |= {f"Limits.{name}": value for name, value in course.config.get("Limits", {}).items()}
    setup["Course.packages"] = course.packages
    if course.settings.asserts:
        tests = msgspec.json.encode(testcells.tests(assignment))
        contents[testcells.packed_file(assignment).relative_to(root).as_posix()] = tests
    settings = "".join(f"c.{name} = {value!r}\n" for name, value in setup.items())
    return contents | {CONFIG: f"c = get_config()\n{settings}".encode()}
