"""Let nbgrader run the referee: one exporter and three preprocessors, named in the course's config.

`nbgrader autograde` and formgrader's button read a submission through `SubmissionExporter`, which
repairs it, and then take `Judge` and `SaveMarks` in the places of nbgrader's own steps.
`IncludeLibrary` puts the student library into a release. No grading logic here.
"""

import contextlib
import copy
import functools
import glob
import html
import json
import logging
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

import msgspec
import nbformat
from nbconvert.exporters import NotebookExporter
from nbgrader.api import MissingEntry
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import compute_checksum, is_grade, is_solution, parse_utc
from traitlets import Bool, Dict, Float, Integer, Unicode
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from referee import course, feedback, gradebook, handin, intake, ipynb, judge, sanitise, store
from referee.sandbox import Zygote
from referee.submission import CellRun, Limits


class SubmissionExporter(NotebookExporter):
    """Reads a submitted notebook through the intake: repaired, and never an error."""

    def __init__(self, **options: Any) -> None:
        """Stand between nbgrader's autograde and the folder of submissions."""
        super().__init__(**options)
        if isinstance(self.parent, Autograde):
            self._handed_in: CourseDirectory = self.parent.coursedir
            self._shown = Path(tempfile.mkdtemp(prefix="referee-submitted-"))
            weakref.finalize(self, shutil.rmtree, self._shown, ignore_errors=True)
            self._screen(self.parent)

    @functools.cached_property
    def zygote(self) -> Zygote:
        """Start the warm process that this run's submissions are forked from."""
        limits = Judge(parent=self).limits
        zygote = Zygote(limits.memory_bytes, limits.unsafe)
        weakref.finalize(self, zygote.close)
        return zygote

    def from_filename(self, filename: str, resources: Any = None, **options: Any) -> Any:
        """Read a file: a submission as it came in, or a notebook that was read here before."""
        try:
            if getattr(self.parent, "_sanitizing", False):
                return self._submission(filename, resources, options)
            return super().from_filename(filename, resources, **options)
        except Exception:
            if isinstance(self.parent, Autograde):  # no older mark may stay by accident
                _forget(_entry(resources))
            raise

    def _submission(self, filename: str, resources: Any, options: Any) -> Any:
        names = resources["nbgrader"]
        assignment = _assignment(names["assignment"])
        folder = Path(_folder(self._handed_in, "submitted", names["student"]))
        release = ipynb.parse(assignment.release.read_bytes())
        accepted = handin.read(folder, assignment.notebook, release)
        if accepted is None:  # it was there a moment ago
            raise FileNotFoundError(f"no notebook in {folder}")
        accepted.notebook.metadata["referee"] = {
            "repairs": accepted.repairs,
            "refused": accepted.refused,
        }
        resources["metadata"] = {"name": assignment.name, "path": str(Path(filename).parent)}
        return self.from_notebook_node(accepted.notebook, resources, **options)

    def _screen(self, converter: Autograde) -> None:
        """Show nbgrader a folder of our own for each submission.

        nbgrader copies whatever it finds, and follows links; it finds a notebook of the right
        name, the files of the release and a time stamp. What was left half done is done again.
        """
        course_folder, log = self._handed_in, converter.log
        everybody = _folder(course_folder, "submitted", course_folder.student_id)
        for given in glob.glob(everybody):  # noqa: PTH207 - as nbgrader does
            student, name = Path(given).parts[-2:]
            if not handin.notebooks(Path(given)):
                log.error("There is no notebook in %s; older marks are taken back", given)
                _forget(gradebook.Entry(course_folder.db_url, name, name, student))
            elif not handin.STUDENT.fullmatch(student):
                log.error("Not graded, since no student is called %r; rename the folder", student)
            else:
                self._show(Path(given), _assignment(name), log)
                done = Path(_folder(course_folder, "autograded", student))
                if done.is_dir() and not _is_complete(done / f"{name}.ipynb"):
                    shutil.rmtree(done)  # else nbgrader takes it for graded
        converter.coursedir = copy.copy(course_folder)
        converter.coursedir.submitted_directory = str(self._shown)
        converter.init_notebooks()

    def _show(self, given: Path, assignment: course.Assignment, log: logging.Logger) -> None:
        """Make the folder of one submission that nbgrader gets to see."""
        folder = self._shown.joinpath(*given.parts[-2:])
        folder.mkdir(parents=True)
        (folder / assignment.notebook).touch()
        for file in assignment.release.parent.iterdir():
            if file.is_file() and file.suffix != ".ipynb":
                shutil.copy(file, folder)
        try:
            stamp = handin.contents(given / "timestamp.txt").decode("utf-8").strip()
            parse_utc(stamp)
            (folder / "timestamp.txt").write_text(stamp, "utf-8")
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            log.warning("The time stamp in %s does not count: %s", given, error)


class Judge(NbGraderPreprocessor):  # type: ignore[misc]
    """Judges the notebook and writes outputs, marks and explanations into its cells."""

    cell_cpu_seconds = Float(60.0, help="CPU seconds for one cell of a notebook").tag(config=True)
    cell_wall_seconds = Float(600.0, help="seconds for one cell, waiting included").tag(config=True)
    check_cpu_seconds = Float(20.0, help="CPU seconds for one hidden check").tag(config=True)
    check_wall_seconds = Float(200.0, help="seconds for one check, waiting included").tag(
        config=True
    )
    check_game_calls = Integer(100_000, help="game calls in one hidden check").tag(config=True)
    memory_bytes = Integer(2 * 1024**3, help="address space of a process in bytes").tag(config=True)
    submission_memory_bytes = Integer(
        3 * 1024**3, help="memory of all processes of a submission together in bytes"
    ).tag(config=True)
    processes = Integer(100, help="processes of a submission at a time").tag(config=True)
    folder_bytes = Integer(64 * 1024**2, help="files of a submission in bytes").tag(config=True)
    output_characters = Integer(
        1024 * 1024, help="what is kept of all outputs of a notebook, in characters"
    ).tag(config=True)
    unsafe = Bool(False, help="grade even where nothing isolates student code").tag(config=True)

    @property
    def limits(self) -> Limits:
        """Return the course's limits."""
        return Limits(**{name: getattr(self, name) for name in Limits.__struct_fields__})

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Judge a sanitized notebook, or take the result that is kept for it."""
        assignment = _assignment(resources["nbgrader"]["assignment"])
        noted = nb.metadata.pop("referee")
        accepted = intake.Intake(nb, noted["repairs"], noted["refused"])
        cells = intake.code_cells(nb)
        judged = store.judged(assignment, cells, lambda: self.parent.zygote, self.limits)
        report = judge.report(assignment, accepted, judged)
        for (_, cell), run in zip(intake.runnable(nb), judged.runs, strict=True):
            cell.outputs = _outputs(run)
        for cell in nb.cells:
            if is_grade(cell) and cell.cell_type == "code":
                cell.outputs = _explanation(report, cell.metadata.nbgrader.grade_id)
        _make_safe(nb.cells)
        if repairs := feedback.repairs_as_text(report):
            text = f"<b>About this file</b><pre>{html.escape(repairs)}</pre>"
            text = sanitise.block(sanitise.html(text))
            note = nbformat.v4.new_markdown_cell(text, id="about-this-file")
            nb.cells.insert(0, note)
        resources["referee"] = report
        return nb, resources


class SaveMarks(NbGraderPreprocessor):  # type: ignore[misc]
    """Writes the marks of a judged notebook into the gradebook."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Save all marks at once; the notebook stays as it is."""
        scores = {mark.grade_id: mark.score for mark in resources["referee"].cells}
        unanswered = {
            cell.metadata.nbgrader.grade_id
            for cell in nb.cells
            if is_solution(cell) and _as_released(cell)
        }
        gradebook.save(_entry(resources), scores, unanswered)
        return nb, resources


class IncludeLibrary(NbGraderPreprocessor):  # type: ignore[misc]
    """Puts files of the course's root into a release, as real files."""

    files = Dict(
        key_trait=Unicode(), value_trait=Unicode(), help="name in the release: path from the root"
    ).tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Add the files to what is written next to the notebook."""
        root = course.find_root(Path.cwd())
        outputs = {name: (root / path).read_bytes() for name, path in self.files.items()}
        resources.setdefault("outputs", {}).update(outputs)
        return nb, resources


def limits(root: Path, unsafe: bool = False) -> Limits:
    """Return the limits that the course's configuration sets; it may be `unsafe` by itself."""
    found = Judge(config=_config(root)).limits
    return msgspec.structs.replace(found, unsafe=unsafe or found.unsafe)


def forget(root: Path, assignment: str, student: str) -> None:
    """Take back the marks of a student who has handed in nothing that can be graded."""
    url = CourseDirectory(config=_config(root)).db_url
    if (root / "gradebook.db").exists():
        _forget(gradebook.Entry(url, assignment, assignment, student))


def autograde(root: Path, assignment: str, student: str, unsafe: bool) -> str | None:
    """Run nbgrader's autograde for one student; return what went wrong, or None."""
    config = _config(root)
    config.Judge.unsafe = unsafe
    folder = CourseDirectory(config=config)
    folder.assignment_id, folder.student_id = assignment, glob.escape(student)
    converter = Autograde(coursedir=folder, config=config)
    converter.force = True
    converter.log = logging.Logger("referee.autograde")
    lines = _Lines()
    converter.log.addHandler(lines)
    try:
        converter.start()
    except NbGraderException:
        return lines.problem or "nbgrader could not grade it"
    return None


class _Lines(logging.Handler):
    """Keeps the first error that nbgrader logs."""

    problem = ""

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR and not self.problem:
            self.problem = record.getMessage()


def _config(root: Path) -> Config:
    return Config(PyFileConfigLoader(course.CONFIG, str(root)).load_config())


def _assignment(name: str) -> course.Assignment:
    return course.find_assignment(course.find_root(Path.cwd()), name)


def _folder(course_folder: CourseDirectory, step: str, student: str) -> str:
    step = getattr(course_folder, f"{step}_directory")
    return str(course_folder.format_path(step, student, course_folder.assignment_id))


def _is_complete(notebook: Path) -> bool:
    """Return whether an autograded notebook was judged: before, it holds our note for the judge."""
    try:
        return "referee" not in json.loads(notebook.read_bytes())["metadata"]
    except (OSError, ValueError, LookupError):
        return False


def _forget(entry: gradebook.Entry) -> None:
    """Take back the marks of a submission, if it has any."""
    with contextlib.suppress(MissingEntry):
        gradebook.reset(entry)


def _entry(resources: Any) -> gradebook.Entry:
    names = resources["nbgrader"]
    return gradebook.Entry(
        names["db_url"], names["assignment"], names["notebook"], names["student"]
    )


def _make_safe(cells: list[Any]) -> None:
    """Make a student's texts safe to show; nbgrader's pages show them as Markdown or as HTML."""
    room = sanitise.MOST
    for cell in cells:
        locked = cell.metadata.get("nbgrader", {}).get("locked")
        if cell.cell_type != "code" and not locked and not _as_released(cell):
            room -= len(cell.source)
            attached = cell.pop("attachments", {})
            cell.source = sanitise.cell(cell.cell_type, cell.source, attached, typed=room < 0)


def _as_released(cell: Any) -> bool:
    checksum = cell.metadata.get("nbgrader", {}).get("checksum")
    return checksum is not None and checksum == compute_checksum(cell)


def _outputs(run: CellRun) -> list[Any]:
    """Write what a cell put out in the notebook format."""
    found = []
    for output in run.outputs:
        match output.kind:
            case "stdout" | "stderr":
                new = nbformat.v4.new_output("stream", name=output.kind, text=output.text)
            case "error":
                new = nbformat.v4.new_output(
                    "error", ename=output.data.get("name", "Error"), evalue=output.text,
                    traceback=output.traceback,
                )  # fmt: skip
            case "display_data" | "execute_result":
                data = sanitise.bundle({"text/plain": output.text, **output.data})
                extra = {"execution_count": None} if output.kind == "execute_result" else {}
                new = nbformat.v4.new_output(output.kind, data=data, **extra)
            case _:  # no player sends it
                continue
        found.append(new)
    if run.error and not any(output.kind == "error" for output in run.outputs):
        found.append(nbformat.v4.new_output("stream", name="stderr", text=run.error + "\n"))
    return found


def _explanation(report: judge.Report, grade_id: str) -> list[Any]:
    """Write a test cell's outputs: the explanation, and the mark as the cell's value."""
    mark = next(mark for mark in report.cells if mark.grade_id == grade_id)
    data = {
        "text/plain": feedback.as_text(report, mark),
        "text/html": feedback.as_html(report, mark),
    }
    outputs = [nbformat.v4.new_output("display_data", data=data)]
    if mark.score is not None:
        number = {"text/plain": f"{mark.score:g}"}
        outputs.append(nbformat.v4.new_output("execute_result", data=number, execution_count=None))
    return outputs
