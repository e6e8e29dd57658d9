"""The folders and files of a course, and its configuration.

The layout is nbgrader's. An `Assignment` is one notebook: if an assignment has several, or one of
another name than its own, `part` names it. Decides nothing, runs nothing.
"""

import contextlib
import copy
import difflib
import functools
import importlib
import sys
import traceback
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

import msgspec
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from referee.model import SYSTEM, Limits, Reference, Subject, type_called

SEED = "seed.txt"
CONFIG = "nbgrader_config.py"
REQUIREMENTS = "requirements.txt"  # in the source: what students install
STRUCTURE = "{nbgrader_step}/{student_id}/{assignment_id}"


class CourseError(ValueError):
    """The course is not as expected; the message says what to do, with a line for each fault."""

    def __init__(self, message: str, faults: Sequence[str] = ()) -> None:
        """Make one message of a sentence and of faults, if there are several."""
        super().__init__("\n".join([message, *faults]))
        self.faults = faults


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings `c.Course.NAME` in a course's configuration."""

    subject: str | None = None
    packages: tuple[str, ...] = ()
    asserts: bool = False
    blank_is_zero: bool = False


SECTIONS: dict[str, type[msgspec.Struct]] = {  # of the configuration that are ours
    "Course": Settings,
    "Limits": Limits,
    "IncludeLibrary": msgspec.defstruct("Library", [("files", dict[str, dict[str, str]], {})]),
    "Canvas": msgspec.defstruct("Canvas", [("titles", dict[str, str], {})]),
}


class Assignment(NamedTuple):
    """The files of one assignment; `student` is whose submission is judged, if that is known.

    Marks are made with `draw` 0; any other number stands for another secret of the course. Nobody
    is judged without the `reference`: what the instructor's own notebook has answered. `part` is
    the name of the notebook, unless it is the only one and called as the assignment. `beside` are
    the files that the student has handed in with it, by their paths.
    """

    name: str
    course: "Course"
    student: str = ""
    draw: int = 0
    reference: Reference | None = None
    part: str = ""
    beside: tuple[tuple[str, bytes], ...] = ()

    @property
    def root(self) -> Path:
        """Return the course's folder."""
        return self.course.root

    @property
    def key(self) -> str:
        """Return the name of assignment and notebook: `ps1`, or `ps1/problem2`."""
        return f"{self.name}/{self.part}" if self.part else self.name

    @property
    def title(self) -> str:
        """Return the `key` in one word, for names of files."""
        return self.key.replace("/", "-")

    @property
    def notebook(self) -> str:
        """Return the file name of the notebook."""
        return f"{self.part or self.name}.ipynb"

    @property
    def others(self) -> list[str]:
        """Return the file names of the assignment's other notebooks."""
        return [one.notebook for one in self.course.parts(self.name) if one.part != self.part]

    @property
    def source(self) -> Path:
        """Return the instructor's notebook, with the reference solution."""
        return self.course.folder("source") / self.name / self.notebook

    @property
    def release(self) -> Path:
        """Return the notebook that students got."""
        return self.course.folder("release") / self.name / self.notebook

    def submitted(self, student: str) -> Path:
        """Return the folder that a student has handed in."""
        return self.course.folder("submitted") / student / self.name

    @property
    def hidden(self) -> Path:
        """Return the folder of the hidden checks."""
        return self.root / "tests" / "hidden" / self.name / self.part

    @property
    def bank(self) -> Path:
        """Return the folder of solutions with known marks."""
        return self.root / "bank" / self.name

    @property
    def support(self) -> dict[str, bytes]:
        """Return the files next to a student's notebook: path, content.

        Those of the course count before the student's own of the same name, unless
        `c.Autograde.exclude_overwriting` names it.
        """
        beside, files = dict(self.beside), self.given
        own_names = beside.keys() & self.course.kept(self.name)
        return beside | {name: body for name, body in files.items() if name not in own_names}

    @property
    def given(self) -> dict[str, bytes]:
        """Return the course's files next to a notebook: path, content.

        Those are in the release, and for hidden asserts, which run there, also in the source.
        """
        source = {}
        if self.course.settings.asserts:
            source = files_in(self.source.parent, leave_out="*.ipynb")
        return source | files_in(self.release.parent, leave_out="*.ipynb")

    @property
    def subject(self) -> Subject:
        """Return the course's `Subject`."""
        return self.course.subject

    @property
    def answers(self) -> Reference:
        """Return the reference solution's results; RuntimeError, our mistake, without them."""
        if self.reference is None:
            raise RuntimeError(f"{self.key} is judged before its reference solution was asked")
        return self.reference

    @property
    def seed(self) -> str:
        """Return the seed of the hidden checks' random choices.

        It is made of the course's secret, a file beside the checks, and the assignment.
        """
        file = self.hidden / SEED
        secret = file.read_text("utf-8", "backslashreplace").strip() if file.is_file() else ""
        return f"{secret} {self.key}"

    def of(self, student: str) -> "Assignment":
        """Return the assignment with the id of a student."""
        return self._replace(student=student)


@dataclass(frozen=True)
class Course:
    """A course: its folder, and what the configuration says, which is read once."""

    root: Path

    def __reduce__(self) -> Any:
        """Send the folder alone to another process, which reads the configuration itself."""
        return Course, (self.root,)

    @functools.cached_property
    def config(self) -> Config:
        """Return the configuration as nbgrader reads it; CourseError if it cannot be run."""
        file = self.root / CONFIG
        if not file.is_file():
            return Config()
        try:
            config = Config(PyFileConfigLoader(CONFIG, str(self.root)).load_config())
            place = Path(self.root, config.CourseDirectory.get("root", ""))  # not where one stands
            config.CourseDirectory.root = str(place)
        except OSError:
            raise
        except (Exception, SystemExit) as error:
            raise CourseError(f"{_place(file, error)}; correct it there") from error
        for section, settings in config.items():
            if kind := SECTIONS.get(section):
                names = kind.__struct_fields__
                # Any other may be of a class of nbgrader's, unless it is nearly one of ours.
                for name in sorted(settings.keys() - {*names}):
                    if right := meant(name, names):
                        raise CourseError(
                            f"{file}: c.{section} has no {name}; did you mean {right}?"
                        )
                try:
                    msgspec.convert(settings, kind)
                except msgspec.ValidationError as error:
                    raise CourseError(
                        f"{file}: c.{section} is not as it should be ({error}); what can be set: "
                        f"{', '.join(names)}"
                    ) from error
            elif right := meant(section, SECTIONS, 0.88):
                raise CourseError(
                    f"{file}: there is no section c.{section} here; did you mean c.{right}?"
                )
        return config

    @functools.cached_property
    def settings(self) -> Settings:
        """Return what is set of `c.Course`."""
        return msgspec.convert(self.config.get("Course", {}), Settings)

    def configuration(self) -> Config:
        """Return the configuration to be changed, for what is of nbgrader's.

        What it names, as a rule for late submissions, can be imported from the course's folder.
        """
        self.open_to_imports()
        return copy.deepcopy(self.config)

    @property
    def base(self) -> Path:
        """Return the folder where nbgrader's folders lie: the course's, or one in it.

        The configuration may name it, as `c.CourseDirectory.root`.
        """
        place = Path(self.root, str(self.config.CourseDirectory.get("root", "")))
        if not place.resolve().is_relative_to(self.root.resolve()):
            raise CourseError(
                f"{self.root / CONFIG}: c.CourseDirectory.root names another folder, {place}; take "
                "the line out, or import Path from pathlib and write "
                "`str(Path(__file__).parent)`, which is right in every copy of the course"
            )
        return self.root / place.resolve().relative_to(self.root.resolve())

    def folder(self, step: str) -> Path:
        """Return the folder of a step of nbgrader's: `source`, `release`, `submitted` and so on.

        The configuration may call it otherwise, as in `c.CourseDirectory.source_directory`.
        """
        layout = self.config.CourseDirectory
        if layout.get("directory_structure", STRUCTURE) != STRUCTURE:
            raise CourseError(
                f"{self.root / CONFIG}: c.CourseDirectory.directory_structure is another one than "
                f"{STRUCTURE}, in which alone the referee looks for submissions; take it out"
            )
        return self.base / str(layout.get(f"{step}_directory", step))

    def kept(self, assignment: str) -> set[str]:
        """Return the files for which a student's own count: `c.Autograde.exclude_overwriting`."""
        files = self.config.get("Autograde", {}).get("exclude_overwriting", {})
        return set(files.get(assignment, []))

    @property
    def left_out(self) -> set[str]:
        """Return the ids in `c.CourseDirectory.student_id_exclude`, whom nbgrader leaves out."""
        ids = str(self.config.CourseDirectory.get("student_id_exclude", "")).split(",")
        return {one.strip() for one in ids} - {""}

    @property
    def db_url(self) -> str:
        """Return the URL of the course's gradebook, as nbgrader has it."""
        url = self.config.CourseDirectory.get("db_url")
        return str(url or f"sqlite:///{self.base}/gradebook.db")

    def limits(self, unsafe: bool = False) -> Limits:
        """Return the limits; CourseError if student code could read the course, unless `unsafe`."""
        limits = msgspec.convert(self.config.get("Limits", {}), Limits)
        limits = msgspec.structs.replace(limits, unsafe=unsafe or limits.unsafe)
        places = {self.root.absolute(), self.root.resolve()}
        open_ = [one for one in _readable() if any(place.is_relative_to(one) for place in places)]
        if open_ and not limits.unsafe:
            raise CourseError(
                f"the course lies in {self.root}, and all of {open_[0]} is shown to student code, "
                "which needs the programs and libraries there: it could read the hidden checks; "
                "move the course to a folder outside, such as /srv (--unsafe grades all the same)"
            )
        return limits

    @property
    def packages(self) -> tuple[str, ...]:
        """Return the packages that students have, as a file of requirements names them.

        They are those of the file that comes with all releases, or of those of each, and of
        `c.Course.packages`.
        """
        common = self.folder("source") / REQUIREMENTS
        releases = sorted(self.folder("release").glob(f"*/{REQUIREMENTS}"))
        texts = [one.read_text("utf-8") for one in ([common] if common.is_file() else releases)]
        lines = [line for text in texts for line in text.replace("\\\n", " ").splitlines()]
        plain = (line.partition("#")[0].partition(" --")[0].strip() for line in lines)
        requirements = (line for line in plain if line and not line.startswith("-"))
        return (*dict.fromkeys(requirements), *self.settings.packages)

    @functools.cached_property
    def subject(self) -> Subject:
        """Return the `SUBJECT` of the package that the configuration names as `c.Course.subject`.

        It lies in the course's folder, as does the library that it names; what both import from
        there can be imported from now on. CourseError if it is no good.
        """
        name = self.settings.subject
        if name is None:
            return Subject(packages=self.packages)
        self.open_to_imports()
        try:
            subject: Subject = importlib.import_module(f"{name}.subject").SUBJECT
            library = tuple(str(self.root / file) for file in subject.library)
            for file in library:
                Path(file).stat()
            for record in subject.records:
                if not hasattr(type_called(record), "_fields"):
                    raise TypeError(f"{record} is no named tuple")
            for remote in subject.remotes:
                abstract = getattr(type_called(remote.type), "__abstractmethods__", set[str]())
                if missing := abstract - {*remote.methods, *remote.attributes}:
                    raise TypeError(
                        f"{remote.type} has to be asked for {', '.join(sorted(missing))}, too"
                    )
        except Exception as error:  # it may run anything
            raise CourseError(
                f"{self.root / CONFIG}: c.Course.subject names {name!r}, but {self.root / name}/"
                f"subject.py gives no SUBJECT that can be used ({type(error).__name__}: {error}); "
                "correct the name, or what is missing there"
            ) from error
        return msgspec.structs.replace(subject, packages=self.packages, library=library)

    @property
    def handed_out(self) -> set[str]:
        """Return the files and folders of the course's folder that students get."""
        libraries = self.config.get("IncludeLibrary", {}).get("files", {}).values()
        return {path for files in libraries for path in files.values()}

    def library(self, assignment: str) -> Mapping[str, str]:
        """Return the files that the configuration adds to a release: path there, path here."""
        files = self.config.get("IncludeLibrary", {}).get("files", {})
        return files.get(assignment, files.get("*", {}))  # type: ignore[no-any-return]

    def contents(self, assignment: str) -> dict[str, bytes]:
        """Return the content of these files, those in folders one by one."""
        contents: dict[str, bytes] = {}
        for name, path in self.library(assignment).items():
            place = self.root / path
            if place.is_dir():
                contents |= {f"{name}/{file}": content for file, content in files_in(place).items()}
            elif place.is_file():
                contents[name] = place.read_bytes()
            else:
                raise CourseError(
                    f"{place} is missing, which the release of {assignment} is to carry as "
                    f"{name}; put it there, or take it out of c.IncludeLibrary.files in {CONFIG}"
                )
        return contents

    @property
    def assignments(self) -> list[str]:
        """Return the names of the assignments: those with hidden checks, or whose asserts count."""
        places = [self.root / "tests" / "hidden"]
        if self.settings.asserts:
            places += [self.folder("source"), self.folder("release")]
        elif not places[0].is_dir():
            raise CourseError(
                f"this course has no hidden checks: {places[0]} is missing; `referee adopt` makes "
                "the asserts in its test cells count"
            )
        paths = [one for place in filter(Path.is_dir, places) for one in place.iterdir()]
        names = {one.name for one in paths if one.is_dir()}
        return sorted(name for name in names if not name.startswith((".", "_")))

    def parts(self, name: str, notebooks: Iterable[str] | None = None) -> list[Assignment]:
        """Return the notebooks of an assignment, the released ones or others by their names."""
        if notebooks is None:
            files = (self.folder("release") / name).glob("*.ipynb")
            notebooks = [file.stem for file in files if not file.name.startswith(".")]
        names = sorted(notebooks)
        if names in ([], [name]):
            return [Assignment(name, self)]
        return [Assignment(name, self, part=part) for part in names]

    def by_key(self, key: str) -> Assignment:
        """Return the assignment with this key, whether or not it exists."""
        name, _, part = key.partition("/")
        return Assignment(name, self, part=part)

    def find(self, key: str) -> Assignment:
        """Return an assignment of one notebook, or one of its notebooks; CourseError if missing."""
        parts = self.find_parts(key)
        if len(parts) > 1:
            names = ", ".join(one.key for one in parts)
            raise CourseError(f"{key} has several notebooks; name one of them: {names}")
        return parts[0]

    def find_parts(self, key: str) -> list[Assignment]:
        """Return the notebooks of an assignment, or the one named; CourseError if missing."""
        assignment, names = self.by_key(key), self.assignments
        if assignment.name not in names:
            raise CourseError(
                f"no assignment called {assignment.name!r}; this course has: {', '.join(names)}"
            )
        parts = self.parts(assignment.name)
        if assignment.part:
            parts = [one for one in parts if one.part == assignment.part]
        if missing := [one.release for one in parts or [assignment] if not one.release.is_file()]:
            raise CourseError(f"{missing[0]} is missing; make it with {remake(assignment.name)}")
        return parts

    def open_to_imports(self) -> None:
        """Let Python import from a course's folder, and forget modules of others that differ."""
        root, place = self.root, str(self.root)
        if sys.path[0] == place:
            return
        sys.path[:] = [place, *(path for path in sys.path if path != place)]
        names = {one.stem for one in root.glob("*")}
        for name in [one for one in sys.modules if one.partition(".")[0] in names]:
            file = Path(getattr(sys.modules[name], "__file__", None) or "")
            relative = Path(*name.split("."))
            files = root / relative.with_suffix(".py"), root / relative / "__init__.py"
            other = next(filter(Path.is_file, files), None)
            if (
                other
                and file != other
                and file.is_file()
                and file.read_bytes() != other.read_bytes()
            ):
                del sys.modules[name]


def find_course(start: Path) -> Course:
    """Return the course at or above `start`: the one with `nbgrader_config.py`."""
    for folder in (start, *start.parents):
        if (folder / CONFIG).is_file():
            return Course(folder)
    raise CourseError(
        f"no course found: neither {start} nor a folder above it has a {CONFIG}; "
        "run this inside the course folder, or name it with --course; `referee new NAME` makes "
        "one, `referee adopt` takes one of nbgrader's"
    )


def remake(name: str) -> str:
    """Return the command that makes the release of an assignment again, in any course."""
    return f"`referee release {quote(name)}`"


def letters(name: str) -> str:
    """Return a name in lower case, without blanks and in one Unicode form."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def meant(name: str, names: Iterable[str], alike: float = 0.75) -> str:
    """Return the known name that a misspelt name probably means, or ""."""
    forms = {letters(one): one for one in names}
    close = difflib.get_close_matches(letters(name), forms, 1, alike)
    return forms[close[0]] if close else ""


def hint(name: str, names: Collection[str]) -> str:
    """Return the end of a sentence about a misspelt name: which one is probably meant, or "".

    It may be a part of the right one, as the first name of a student.
    """
    likely = meant(name, names) or next((one for one in names if meant(name, one.split())), "")
    return f"; did you mean {likely}?" if likely else ""


def _place(file: Path, error: BaseException) -> str:
    """Return the place and the text of an error in a file of the course."""
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
    where = f"{file}, line {lines[-1]}" if lines else str(file)
    return f"{where}: {type(error).__name__}: {error}"


def _readable() -> list[str]:
    """Return the folders that student code can read: those of the system and of this Python."""
    python = {sys.base_prefix, sys.base_exec_prefix}
    return [*SYSTEM, *sorted(python | {str(Path(path).resolve()) for path in python})]


def make_private(file: Path, to_group: bool = True) -> None:
    """Let only its owner read a file or folder; create the file if it is missing.

    If everybody can read it, the group loses access, too, as nobody gave it on purpose; without
    `to_group` the group keeps what it has.
    """
    with contextlib.suppress(PermissionError):  # it is another user's, who has made it so
        if not file.exists():
            file.touch(0o600)
        if (mode := file.stat().st_mode) & 0o007:
            file.chmod(mode & (0o700 if to_group else 0o770))


def files_in(folder: Path, leave_out: str = "") -> dict[str, bytes]:
    """Return the files in a folder, by their paths in it, with / as separator.

    Hidden files, byte code and those that match `leave_out` are left out.
    """
    paths = {file.relative_to(folder): file for file in sorted(folder.rglob("*"))}
    return {
        path.as_posix(): file.read_bytes()
        for path, file in paths.items()
        if file.is_file()
        and not any(part.startswith(".") or part == "__pycache__" for part in path.parts)
        and not (leave_out and path.match(leave_out))
    }
