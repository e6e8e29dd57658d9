"""Make the page of feedback from a notebook that was marked: `templates/student`.

A summary comes first, and answers are folded. What the course gave is left out. The page loads
nothing. nbgrader's own converter makes those of a class.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from nbconvert.exporters import HTMLExporter
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from referee.course import CONFIG, Assignment
from referee.intake import database
from referee.judging import digests
from referee.marks import feedback, marking, mathml, sanitise, standings

LOOKS = 3  # causes to look at first


def make(assignment: Assignment, students: Collection[str]) -> dict[str, bytes]:
    """Return the page of each of the `students` who was graded: marks by hand are in it.

    They are not made again if they are whole, and newer than gradebook, notebooks, settings and
    this program.
    """
    course, everybody = assignment.course, graded(assignment)
    autograded, feedback = (course.folder(step) for step in ("autograded", "feedback"))
    left_out = course.left_out | ({*everybody} - {*students})  # taken out of the gradebook
    names = [name for name in everybody if name not in left_out]
    notebooks = [autograded / name / assignment.name / assignment.notebook for name in names]
    page = Path(assignment.name, assignment.notebook).with_suffix(".html")
    pages = {name: feedback / name / page for name in names}
    program = [one for one in digests.PACKAGE.rglob("*.*") if one.suffix != ".pyc"]
    book = database.file(course.db_url)
    newest = max(map(_mtime, (*notebooks, *program, course.root / CONFIG, book or course.root)))
    if book is None or min(map(_mtime, pages.values()), default=0) <= newest:
        config = course.configuration()
        folders = CourseDirectory(config=config)
        folders.assignment_id = assignment.name
        folders.student_id_exclude = ",".join(sorted(left_out))
        converter = GenerateFeedback(coursedir=folders, config=config)
        converter.force = True
        converter.log.setLevel("ERROR")
        converter.start()
    return {name: file.read_bytes() for name, file in pages.items() if file.is_file()}


def _mtime(file: Path) -> int:
    """Return when a file was changed, in ns; 0 if it is not there, or a page without its end."""
    half = file.suffix == ".html" and file.is_file() and b"</html>" not in file.read_bytes()[-99:]
    return 0 if half or not file.exists() else file.stat().st_mtime_ns


def graded(assignment: Assignment) -> list[str]:
    """Return the students who have an autograded notebook here."""
    files = assignment.course.folder("autograded").glob(
        f"*/{assignment.name}/{assignment.notebook}"
    )
    return sorted({file.parents[1].name for file in files})


class FeedbackExporter(HTMLExporter):
    """Writes a student's page; a course names it as `c.GenerateFeedback.exporter_class`."""

    def __init__(self, config: Config, **options: Any) -> None:
        """Use the referee's template, although nbgrader's configuration names its own."""
        folder = str(Path(__file__).parent / "templates")
        settings = {
            "template_name": "student",
            "template_file": "index.html.j2",
            "extra_template_basedirs": [folder],
            "exclude_anchor_links": True,
            "exclude_output_prompt": True,
            "filters": marking.FILTERS,
        }
        super().__init__(config=Config(config, **{type(self).__name__: settings}), **options)

    def from_notebook_node(self, nb: Any, resources: Any = None, **options: Any) -> Any:
        """Note what nbgrader's metadata lacks: which cells wait, and which a human has changed."""
        metadata = (resources or {}).get("nbgrader", {})
        if "db_url" in metadata:
            key = f"{metadata['assignment']}/{metadata['notebook']}"
            with database.reading(metadata["db_url"], "grade") as book:
                by_student = standings.read(book, key, student=metadata["student"]) if book else {}
            standing = by_student[metadata["student"]]
            for settings in map(_settings, marks(nb.cells)):
                name = settings["grade_id"]
                automatic, by_hand = standing.scores.get(name), standing.by_hand.get(name)
                settings["waits"] = name in standing.waiting
                if automatic is not None and by_hand is not None and automatic != by_hand:
                    settings["changed"] = f"changed by hand: {by_hand:g}, automatic {automatic:g}"
        return super().from_notebook_node(nb, resources, **options)

    def default_filters(self) -> Any:
        """Add the template's own filters."""
        yield from super().default_filters()
        yield "formulas", mathml.in_html
        yield "sanitised", sanitise.html
        for function in (marks, outline, looks, shown):
            yield function.__name__, function


def marks(cells: list[Any]) -> list[Any]:
    """Return the cells that are worth points."""
    return [cell for cell in cells if _settings(cell).get("grade") or _settings(cell).get("task")]


def outline(cell: Any) -> dict[str, Any]:
    """Return the outline of a cell's checks (`feedback.outline`), or an empty one."""
    outputs = cell.get("outputs", []) if _settings(cell).get("locked") else []
    outlines = [output.get("metadata", {}).get("referee") for output in outputs]
    return next(filter(None, outlines), {})


def looks(cells: list[Any]) -> list[dict[str, Any]]:
    """Return why points were lost, each cause once: errors of syntax, then what cost most."""
    causes: dict[str, dict[str, Any]] = {}
    for entries in map(outline, marks(cells)):
        if cause := entries.get("cause"):
            look = causes.setdefault(cause["text"], cause | {"cells": [], "lost": 0.0})
            look["cells"].append(entries["cell"])
            look["lost"] += cause["lost"]

    def dearest(look: dict[str, Any]) -> tuple[bool, float]:
        return not feedback.SYNTAX.search(look["text"]), -look["lost"]

    return sorted(causes.values(), key=dearest)[:LOOKS]


def shown(cells: list[Any]) -> list[tuple[str, Any]]:
    """Return the cells to show, each with the headline that it is folded under, or "".

    What the course gave, and nobody marks, stands in the notebook itself. An answer comes below its
    mark.
    """
    page, answers = list[tuple[str, Any]](), list[tuple[str, Any]]()
    for cell in cells:
        settings = _settings(cell)
        grade, solution, task = map(settings.get, ("grade", "solution", "task"))
        if solution and not grade:  # it is marked in another cell
            answers.append((f"Your answer: {settings['grade_id']}", cell))
        elif grade or task or not (cell.cell_type == "code" or settings.get("locked")):
            page.append(("", cell))
            if grade:
                page += answers
                answers.clear()
    return page + answers


def _settings(cell: Any) -> dict[str, Any]:
    return cell.metadata.get("nbgrader", {})  # type: ignore[no-any-return]
