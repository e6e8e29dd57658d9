"""Settings of the course that most tests grade."""

from pathlib import Path

from referee.marks import settings

c = get_config()  # noqa: F821 - given by traitlets

settings.decide(c)
c.CourseDirectory.course_id = "numbers"
c.CourseDirectory.root = str(Path(__file__).parent.absolute())
c.IncludeLibrary.files = {"*": {"check.py": settings.CHECK}}
c.GenerateAssignment.preprocessors.append("referee.nbgrader.IncludeLibrary")
