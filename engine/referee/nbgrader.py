"""Let nbgrader run the referee: one exporter and four preprocessors, named in the course's config.

`nbgrader autograde` and formgrader's button read a submission through `SubmissionExporter`, which
repairs it, and then take `Judge` and `SaveMarks` in the places of nbgrader's own steps.
`IncludeLibrary` puts the student library into a release, `HideRegions` keeps what is hidden out of
feedback. No grading logic here.
"""

import copy
import functools
import glob
import logging
import shutil
import weakref
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbgrader import utils
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, Execute, NbGraderPreprocessor
from nbgrader.preprocessors import SaveAutoGrades as StockMarks
from traitlets import Dict, List, Unicode
from traitlets.config import Config

from referee import course, intake
from referee.judging import cache, digests, pipeline, suspension
from referee.marks import (
    autograded,
    blank,
    entries,
    grade_log,
    gradebook,
    groups_and_extensions,
    missing,
    writer,
)
from referee.model import Record
from referee.sandbox.outside.tempfolder import Folder
from referee.sandbox.outside.zygote import SandboxError, Zygote


class SubmissionExporter(NotebookExporter):
    """Reads a submitted notebook through the intake: repaired, and never an error."""

    def __init__(self, **options: Any) -> None:
        """Put copies of the submissions, made safe, where nbgrader's autograde looks for them."""
        super().__init__(**options)
        if isinstance(self.parent, Autograde):
            self._handed_in: CourseDirectory = self.parent.coursedir
            stage = Folder("referee-submitted-")
            weakref.finalize(self, stage.cleanup)
            self._stage = Path(stage.name)
            self._stage_all(self.parent)

    @functools.cached_property
    def zygote(self) -> Zygote:
        """Start the warm process that this run's submissions are forked from."""
        root = course.find_root(Path.cwd())
        zygote = Zygote(course.limits(root), course.subject(root))
        weakref.finalize(self, zygote.close)
        return zygote

    def from_filename(self, filename: str, resources: Any = None, **options: Any) -> Any:
        """Read a file: a submission as it came in, or a notebook that was read here before."""
        if getattr(self.parent, "_sanitizing", False):
            return self._submission(filename, resources, options)
        return super().from_filename(filename, resources, **options)

    def _submission(self, filename: str, resources: Any, options: Any) -> Any:
        names = resources["nbgrader"]
        assignment = _of(names)
        if intake.other_language(assignment):
            return super().from_filename(filename, resources, **options)
        folder = Path(_folder(self._handed_in, "submitted", names["student"]))
        handed_in = intake.collect(folder, assignment.notebook, assignment.others)
        accepted = intake.accept(assignment, handed_in)
        if accepted is None:  # it was there a moment ago
            raise FileNotFoundError(f"no notebook in {folder}")
        accepted.notebook.metadata["referee"] = {
            "repairs": accepted.repairs,
            "refused": accepted.refused,
            "submission": digests.digest(handed_in),
            "key": digests.work(
                assignment.of(names["student"]), handed_in, course.limits(assignment.root)
            ),
            "timestamp": handed_in.timestamp,
        }
        resources["metadata"] = {"name": names["notebook"], "path": str(Path(filename).parent)}
        return self.from_notebook_node(accepted.notebook, resources, **options)

    def _stage_all(self, converter: Autograde) -> None:
        """Make a folder for each submission that nbgrader reads in place of the student's.

        nbgrader copies all files, and follows links; here it finds only a notebook of the right
        name, the files of the release and a time stamp. An unfinished folder is made again.
        """
        course_folder, log = self._handed_in, converter.log
        root, name = course.find_root(Path.cwd()), course_folder.assignment_id
        for line in groups_and_extensions.reading(root, [name]).strays:
            log.warning("%s", line)
        everybody = _folder(course_folder, "submitted", course_folder.student_id)
        folders = [Path(path) for path in glob.glob(everybody)]  # noqa: PTH207 - as nbgrader does
        try:
            _prepare(course_folder, [folder.parts[-2] for folder in folders], log)
        except (course.CourseError, SandboxError) as error:
            for line in str(error).splitlines():
                log.error(line)
            raise NbGraderException(str(error)) from error
        for folder in folders:
            try:
                self._stage_folder(folder, log)
            except OSError as error:
                where = f"{error.filename}: {error.strerror}"
                log.error("%s; not graded, the marks are as before", where)
        converter.coursedir = copy.copy(course_folder)
        converter.coursedir.submitted_directory = str(self._stage)
        converter.init_notebooks()

    def _stage_folder(self, folder: Path, log: logging.Logger) -> None:
        """Make the folders for one submission folder, if it has a notebook."""
        student, name = folder.parts[-2:]
        if not intake.notebooks(folder):
            log.error("There is no notebook in %s; not graded, the marks are as before", folder)
        elif not intake.STUDENT.fullmatch(student):
            log.error("Not graded, since no student is called %r; rename the folder", student)
        else:
            self._stage_one(folder, _parts(name), log)
            done = Path(_folder(self._handed_in, "autograded", student))
            files = [done / part.notebook for part in _parts(name)]
            if done.is_dir() and not all(map(autograded.is_complete, files)):
                shutil.rmtree(done)  # else nbgrader takes it for graded

    def _stage_one(self, folder: Path, parts: list[course.Assignment], log: logging.Logger) -> None:
        """Make the folder of one submission that nbgrader reads."""
        stage = self._stage.joinpath(*folder.parts[-2:])
        stage.mkdir(parents=True)
        for one in parts:
            if not (left := intake.other_language(one)):
                (stage / one.notebook).touch()
                continue
            log.warning(left)
            if not folder.is_symlink() and one.notebook in intake.notebooks(folder):
                (stage / one.notebook).write_bytes(intake.contents(folder / one.notebook))
        for path, content in parts[0].support.items():
            (stage / path).parent.mkdir(parents=True, exist_ok=True)
            (stage / path).write_bytes(content)
        stamp, why = intake.time_stamp(folder)
        if why is not None:
            log.warning("The time stamp in %s does not count: %s", folder, why)
        if stamp is not None and not folder.is_symlink():
            (stage / "timestamp.txt").write_text(stamp, "utf-8")


class Judge(NbGraderPreprocessor):  # type: ignore[misc]
    """Judges the notebook and writes outputs, marks and explanations into its cells."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Judge a sanitized notebook, or take its stored result."""
        names = resources["nbgrader"]
        assignment = _of(names).of(names["student"])
        if intake.other_language(assignment):
            return _stock(Execute, self, nb, resources)
        limits = course.limits(assignment.root)
        notes = nb.metadata.pop("referee")
        accepted = intake.Intake(nb, notes["repairs"], notes["refused"])
        cells = accepted.cells
        edition = digests.edition(assignment, limits)
        assignment = suspension.prepared(assignment, limits)
        zygote = self.parent.zygote
        judged, report = pipeline.judge_file(assignment, accepted, lambda: zygote, limits)
        unanswered = autograded.unanswered(nb, intake.released(assignment))
        report = blank.zeroed(assignment, accepted, report, unanswered)
        work = digests.work(assignment, cells, limits)
        cache.put_work(assignment.root, notes["key"], work)
        resources["referee"] = assignment.of(""), Record(
            names["student"], notes["submission"], edition.course, edition.basis, work,
            grade_log.now(), cells, report, notes["timestamp"], limits=limits,
            answers=autograded.answers(nb), unanswered=unanswered,
        )  # fmt: skip
        return autograded.make(accepted, judged, report), resources


class SaveMarks(NbGraderPreprocessor):  # type: ignore[misc]
    """Writes the marks of a judged notebook into the gradebook."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Save all marks at once; the notebook stays as it is."""
        if "referee" not in resources:  # it was not judged here
            return _stock(StockMarks, self, nb, resources)
        assignment, record = resources["referee"]
        with gradebook.opened(resources["nbgrader"]["db_url"]) as book:
            writer.enter(book, assignment, record)
        return nb, resources


class IncludeLibrary(NbGraderPreprocessor):  # type: ignore[misc]
    """Puts files and folders of the course's root into a release, as real files."""

    files = Dict(
        key_trait=Unicode(),
        value_trait=Dict(key_trait=Unicode(), value_trait=Unicode()),
        help="assignment, or * for each that is not named: name in the release: path from the root",
    ).tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Add the files that the assignment names to those written next to the notebook."""
        root, assignment = course.find_root(Path.cwd()), resources["nbgrader"]["assignment"]
        outputs = resources.setdefault("outputs", {})
        outputs |= course.carried(root, assignment, course.chosen(self.files, assignment))
        return nb, resources


class HideRegions(NbGraderPreprocessor):  # type: ignore[misc]
    """Takes hidden tests and mark schemes out of the course's own cells.

    Students' cells stay as they are: nbgrader's own steps would fail on delimiters in them.
    """

    display_data_priority: Any = List().tag(config=True)  # set by a page; nbgrader's own would warn

    def __init__(self, **options: Any) -> None:
        """Take nbgrader's own steps, with the delimiters of the course."""
        super().__init__(**options)
        config = Config(
            {name: part for name, part in self.config.items() if name != "NbConvertBase"}
        )
        self._steps = [ClearHiddenTests(config=config), ClearMarkScheme(config=config)]

    def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> tuple[Any, Any]:
        """Clear a cell that was restored from the gradebook."""
        if utils.is_locked(cell):
            for step in self._steps:
                step.preprocess_cell(cell, resources, cell_index)
        return cell, resources


def _stock(step: type, ours: Any, nb: Any, resources: Any) -> tuple[Any, Any]:
    """Use nbgrader's own step in place of the referee's."""
    nb, resources = step(parent=ours.parent).preprocess(nb, resources)
    return nb, resources


def _parts(name: str) -> list[course.Assignment]:
    return course.find_parts(course.find_root(Path.cwd()), name)


def _of(names: Any) -> course.Assignment:
    """Return the notebook that nbgrader is grading."""
    wanted = f"{names['notebook']}.ipynb"
    return next(part for part in _parts(names["assignment"]) if part.notebook == wanted)


def _folder(course_folder: CourseDirectory, step: str, student: str) -> str:
    step = getattr(course_folder, f"{step}_directory")
    return str(course_folder.format_path(step, student, course_folder.assignment_id))


def _prepare(course_folder: CourseDirectory, students: list[str], log: logging.Logger) -> None:
    """Before grading, judge the reference; raise an error if marks depend on anything missing."""
    parts = _parts(course_folder.assignment_id)
    for part in (part for part in parts if not intake.other_language(part)):
        if made := missing.make_secret(part):
            log.warning(made)
        for line in suspension.for_nothing(part, course.limits(part.root)):
            log.warning(line)
        with gradebook.opened(course_folder.db_url) as book:
            standings = gradebook.standings(book, part.key)
        missing.expect_all(part, students, entries.get(part.root, part.key), standings)
