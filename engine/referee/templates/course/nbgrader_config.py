"""Settings of the course; nbgrader and the referee read them here."""

from pathlib import Path

from referee.marks import settings

c = get_config()  # noqa: F821 - given by traitlets

settings.decide(c)  # the referee decides the marks, for nbgrader's own commands, too
c.CourseDirectory.course_id = "my-course"
c.CourseDirectory.root = str(Path(__file__).parent.absolute())

# What one notebook may use; `referee.model.Limits` names them all.
c.Limits.check_cpu_seconds = 20.0
