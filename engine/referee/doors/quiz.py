"""Put the questions on students' own code into the next notebook: a cell for the letters.

The sheets stay on paper, and each student enters the letters of their own. Hidden checks compare
them, each worth a point, with what lies beside them under the digest of the student's id.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell

from referee import course, intake
from referee.course import CourseError
from referee.doors.year import ANSWERS
from referee.marks import files
from referee.proof.viva import sheet

NAMES = "viva_told", "viva", "test_viva"
TOLD = """## Questions on your own code

Enter the letters of your answers to the questions on your sheet, as in `viva_answers = "BADCA"`."""
ANSWER = """### BEGIN SOLUTION
viva_answers = "ABCDA"
### END SOLUTION"""
TEST = """assert isinstance(viva_answers, str) and set(viva_answers) <= set("ABCD"), (
    'write a text with one capital letter from A to D for each question, such as "BADCA"'
)"""
CHECK = Path(sheet.__file__).with_name("quiz_check.txt")


def source(root: Path, name: str) -> Path:
    """Return the source of the next notebook; CourseError if there is none."""
    file = course.named(root, name).source
    if not file.is_file():
        raise CourseError(
            f"{file} is missing, into which the questions are to go; make the assignment first, "
            f"as by `referee new {quote(name)}`"
        )
    return file


def write(root: Path, name: str, letters: Mapping[str, str]) -> list[str]:
    """Write cells and hidden checks, in place of those that were made before; return the files."""
    file, hidden = source(root, name), course.named(root, name).hidden
    notebook = intake.course_notebook(file)
    kept = [cell for cell in notebook.cells if intake.identity(cell) not in NAMES]
    notebook.cells = [*kept, *_cells()]
    answers = {
        hashlib.sha256(student.encode()).hexdigest(): right for student, right in letters.items()
    }
    secret = hidden / ANSWERS
    hidden.mkdir(parents=True, exist_ok=True)
    course.make_private(secret)
    files.save(secret, json.dumps(answers, indent=1, sort_keys=True).encode())
    files.save(hidden / "test_viva.py", CHECK.read_bytes())
    files.save(file, f"{nbformat.writes(notebook)}\n".encode())
    return [str(one) for one in (file, hidden / "test_viva.py", secret)]


def _cells() -> list[Any]:
    """Return the cells: what to do, the answer, and the test that shows its marks."""
    base = {"schema_version": 3, "task": False}
    graded = base | {"grade": True, "locked": True, "solution": False, "points": sheet.COUNT}
    answer = base | {"grade": False, "locked": False, "solution": True}
    told = base | {"grade": False, "locked": True, "solution": False}
    kinds = [(new_markdown_cell, TOLD, told), (new_code_cell, ANSWER, answer),
             (new_code_cell, TEST, graded)]  # fmt: skip
    return [
        make(text, id=name, metadata={"nbgrader": data | {"grade_id": name}})
        for name, (make, text, data) in zip(NAMES, kinds, strict=True)
    ]
