"""Pack all files that judging an assignment needs, to judge it elsewhere or later."""

import atexit
import functools
import hashlib
import platform
from pathlib import Path

import msgspec

from referee import course
from referee.course import CONFIG, Assignment, files_in, subject_name
from referee.intake import saved, testcells
from referee.judging import digests
from referee.model import Original, Reference
from referee.sandbox.outside.tempfolder import Folder


class Bundle(msgspec.Struct, frozen=True):
    """The files of a course that judging an assignment needs, and the digest of the engine.

    `originals` are the cells to show instead of the released ones.
    """

    assignment: str
    engine: str
    files: dict[str, bytes]
    originals: dict[str, Original]
    reference: Reference | None = None


class OtherEngineError(RuntimeError):
    """This worker has another engine than the process that asks it."""


def pack(assignment: Assignment) -> bytes:
    """Return the bundle of an assignment as it is now."""
    content, originals = files(assignment), saved.cells(assignment)
    bundle = Bundle(assignment.key, digests.engine(), content, originals, assignment.reference)
    return msgspec.msgpack.encode(bundle)


def files(assignment: Assignment) -> dict[str, bytes]:
    """Return the files of the course that judging an assignment needs, by their paths in it."""
    root = assignment.root
    own = [
        folder / name
        for folder in filter(Path.is_dir, (assignment.hidden, assignment.release.parent))
        for name in files_in(folder)
    ]
    shared = [*digests.subject_files(root), *map(Path, assignment.subject.library)]
    needed = {*own, *shared, *digests.imported(root, own)}
    listed = course.folder(root, "source") / course.REQUIREMENTS
    needed |= {listed} if listed.is_file() else set()
    found = {file.relative_to(root).as_posix(): file.read_bytes() for file in sorted(needed)}
    name = subject_name(root)
    packages = course.configuration(root).get("Course", {}).get("packages", ())
    settings = f"c = get_config()\nc.Course.packages = {list(packages)!r}\n"
    for step in "source", "release":
        place = course.folder(root, step).relative_to(root).as_posix()
        settings += f"c.CourseDirectory.{step}_directory = {place!r}\n"
    if course.blank_is_zero(root):
        settings += "c.Course.blank_is_zero = True\n"
    if course.asserts_count(root):
        settings += "c.Course.asserts = True\n"
        tests = msgspec.json.encode(testcells.tests(assignment))
        found[testcells.packed_file(assignment).relative_to(root).as_posix()] = tests
    if name is not None:
        settings += f"c.Course.subject = {name!r}\n"
    return found | {CONFIG: settings.encode()}


@functools.lru_cache(4)
def unpacked(bundle: bytes) -> tuple[Assignment, dict[str, Original]]:
    """Write a course into a temporary folder; return its assignment, and the cells to show.

    Raises OtherEngineError if the engine here is another one.
    """
    packed = msgspec.msgpack.decode(bundle, type=Bundle)
    if packed.engine != digests.engine():
        raise OtherEngineError(
            f"the worker on {platform.node()} runs another version of the referee, of Python or of "
            "a library than this machine; install the same referee/requirements.txt on both"
        )
    root = Path(_home().name) / hashlib.sha256(bundle).hexdigest()
    for name, content in packed.files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    named = course.named(root, packed.assignment)
    return named._replace(reference=packed.reference), packed.originals


@functools.cache
def _home() -> Folder:
    folder = Folder("referee-course-")
    atexit.register(folder.cleanup)  # left to itself it goes with a warning
    return folder
