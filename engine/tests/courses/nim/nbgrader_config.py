"""Settings of a course on Nim, with a library, records and games that stay in the referee."""

from pathlib import Path

from referee.marks import settings

c = get_config()  # noqa: F821 - given by traitlets

settings.decide(c)
c.CourseDirectory.course_id = "nim"
c.CourseDirectory.root = str(Path(__file__).parent.absolute())
c.Course.subject = "nim"
c.IncludeLibrary.files = {"*": {"piles.py": "piles.py"}}
c.GenerateAssignment.preprocessors.append("referee.nbgrader.IncludeLibrary")
