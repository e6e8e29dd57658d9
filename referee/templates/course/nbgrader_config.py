"""Settings of the course; nbgrader and the referee read them here."""

import os
import sys
import warnings
from pathlib import Path

from sqlalchemy.exc import SAWarning

from referee.marks import marking

c = get_config()  # noqa: F821 - given by traitlets

# nbgrader calls the program alembic when it makes the gradebook: let it find its neighbour.
PROGRAMS = [str(Path(sys.executable).parent), *os.environ["PATH"].split(os.pathsep)]
os.environ["PATH"] = os.pathsep.join(dict.fromkeys(PROGRAMS))

# nbgrader's gradebook makes SQLAlchemy warn about its own, harmless, way to add rows.
warnings.filterwarnings("ignore", category=SAWarning, module="nbgrader")

c.CourseDirectory.course_id = "my-course"
c.CourseDirectory.root = str(Path(__file__).parent.absolute())

# What one notebook may use; `referee.model.Limits` names them all.
c.Limits.check_cpu_seconds = 20.0

# The referee decides the marks, also for `nbgrader autograde` and in formgrader.
c.Autograde.exporter_class = "referee.doors.nbgrader.SubmissionExporter"
c.Autograde.sanitize_preprocessors = [
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.DeduplicateIds",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.OverwriteCells.add_missing_cells = True
c.Autograde.autograde_preprocessors = [
    "referee.doors.nbgrader.Judge",
    "nbgrader.preprocessors.LimitOutput",
    "referee.doors.nbgrader.SaveMarks",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# Students never see hidden tests, not even in the feedback on them.
c.GenerateFeedback.exporter_class = "referee.marks.exporter.FeedbackExporter"
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "referee.doors.nbgrader.HideRegions",
]

# Formgrader shows an answer beside the box for its mark, and the mark scheme as a list to press.
c.HTMLExporter.template_file = marking.TEMPLATE
c.HTMLExporter.filters = marking.FILTERS
