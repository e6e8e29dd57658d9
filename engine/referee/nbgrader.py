"""Let nbgrader run the referee: an exporter and two preprocessors, named in the course's config.

`nbgrader autograde` and formgrader's button make a `SubmissionExporter`, which has `referee grade`
do their work. `IncludeLibrary` puts the student library into a release, `HideRegions` keeps what is
hidden out of feedback. No grading logic here.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

from nbconvert.exporters import NotebookExporter
from nbgrader import utils
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, NbGraderPreprocessor
from traitlets import Dict, List, Unicode
from traitlets.config import Config

from referee import intake
from referee.course import CourseError, find_course

GRADE = [sys.executable, "-P", "-c", "from referee.commands import main; main()", "grade"]
OTHER_GRADEBOOK = (
    "marks are entered into the gradebook that nbgrader_config.py names, not into another one: "
    "name it there, as c.CourseDirectory.db_url"
)


class SubmissionExporter(NotebookExporter):
    """Lets `referee grade` do what nbgrader's autograde was called for.

    Left to that are the notebooks that are not in Python.
    """

    def __init__(self, **options: Any) -> None:
        """Take the place of the command's work, if it is autograde that makes this."""
        super().__init__(**options)
        if isinstance(self.parent, Autograde):
            self.parent.convert_notebooks = self._grade

    def _grade(self) -> None:
        """Grade the submissions that nbgrader has found; what it would run itself comes first."""
        autograde: Any = self.parent
        folders = autograde.coursedir
        course, name = find_course(Path(folders.root)), folders.assignment_id
        try:
            parts = course.find_parts(name)
        except CourseError as error:
            self._stop(str(error))
        if folders.db_url != course.db_url:
            self._stop(OTHER_GRADEBOOK)
        students = [Path(folder).parts[-2] for folder in autograde.assignments]
        others = {part.notebook for part in parts if intake.other_language(part)}
        rest = {
            folder: [file for file in files if Path(file).name in others]
            for folder, files in autograde.assignments.items()
        }
        autograde.assignments = {folder: files for folder, files in rest.items() if files}
        Autograde.convert_notebooks(autograde)
        command = [*GRADE, name, f"--course={course.root}", *["--force"] * autograde.force]
        if folders.student_id != "*":
            command += [f"--student={student}" for student in students]
        line = ""
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as grading:
            for line in grading.stdout or ():
                self.log.info(line.rstrip())
        if grading.returncode not in (0, 1):  # 1: somebody needs a human
            self._stop(line.strip())

    def _stop(self, why: str) -> NoReturn:
        self.log.error(why)
        raise NbGraderException(why)


class IncludeLibrary(NbGraderPreprocessor):  # type: ignore[misc]
    """Puts files and folders of the course's root into a release, as real files."""

    files = Dict(
        key_trait=Unicode(),
        value_trait=Dict(key_trait=Unicode(), value_trait=Unicode()),
        help="assignment, or * for each that is not named: name in the release: path from the root",
    ).tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Add the files that the assignment names to those written next to the notebook."""
        assignment = resources["nbgrader"]["assignment"]
        resources.setdefault("outputs", {}).update(find_course(Path.cwd()).contents(assignment))
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
