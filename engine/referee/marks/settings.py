"""Let nbgrader's configuration say that the referee decides the marks."""

import importlib
import os
import sys
import warnings
from pathlib import Path
from typing import Any

from sqlalchemy.exc import SAWarning

from referee.marks import marking

CHECK = str(Path(__file__).parents[1] / "templates/student/check.py")  # runs the public checks


def decide(c: Any) -> None:
    """Let the referee decide, for all of nbgrader's commands and in formgrader.

    `c` is what `get_config()` gives in `nbgrader_config.py`; what is set there afterwards counts.
    """
    c.Autograde.exporter_class = "referee.nbgrader.SubmissionExporter"
    # Students never see hidden tests, not even in the feedback on them.
    c.GenerateFeedback.exporter_class = "referee.marks.feedback_page.FeedbackExporter"
    c.GenerateFeedback.preprocessors = [
        "nbgrader.preprocessors.GetGrades",
        "referee.nbgrader.HideRegions",
    ]
    # Formgrader shows an answer beside the box for its mark, and the mark scheme as buttons.
    c.HTMLExporter.template_file = marking.TEMPLATE
    c.HTMLExporter.filters = marking.FILTERS
    # Its server, if it is that which reads this, saves what is typed there.
    if "nbgrader.server_extensions.formgrader.formgrader" in sys.modules:
        importlib.import_module("referee.formgrader").install()
    find_alembic()
    # nbgrader's gradebook makes SQLAlchemy warn about its own, harmless, way to add rows.
    warnings.filterwarnings("ignore", category=SAWarning, module="nbgrader")


def find_alembic() -> None:
    """Let nbgrader find the program alembic beside Python: it calls it to make a gradebook."""
    programs = [str(Path(sys.executable).parent), *os.environ["PATH"].split(os.pathsep)]
    os.environ["PATH"] = os.pathsep.join(dict.fromkeys(programs))
