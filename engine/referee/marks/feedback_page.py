"""Make the page of feedback from a notebook that was marked: `templates/student`.

A summary comes first; cells without a mark and right answers are folded. The page loads nothing.
"""

import re
from pathlib import Path
from typing import Any

from nbconvert.exporters import HTMLExporter
from traitlets.config import Config

from referee.marks import gradebook, marking, mathml, sanitise

LOOKS = 3  # things to look at first
BETWEEN = "Not marked: what comes in between"
HEADING = re.compile(r"^#+\s+(.+)$", re.MULTILINE)


class FeedbackExporter(HTMLExporter):
    """Writes a student's page; a course names it as `c.GenerateFeedback.exporter_class`."""

    def __init__(self, config: Config, **options: Any) -> None:
        """Use the referee's template, although nbgrader's configuration names its own."""
        folder = str(Path(__file__).parent / "templates")
        ours = {
            "template_name": "student",
            "template_file": "index.html.j2",
            "extra_template_basedirs": [folder],
            "exclude_anchor_links": True,
            "exclude_output_prompt": True,
            "filters": marking.FILTERS,
        }
        super().__init__(config=Config(config, **{type(self).__name__: ours}), **options)

    def from_notebook_node(self, nb: Any, resources: Any = None, **options: Any) -> Any:
        """Note for each cell whether it waits for a mark, which nbgrader's metadata lacks."""
        told = (resources or {}).get("nbgrader", {})
        if "db_url" in told:
            with gradebook.opened(told["db_url"]) as book:
                names = told["assignment"], told["notebook"], told["student"]
                waiting = gradebook.unmarked(book, *names)
            for cell in nb.cells:
                if _settings(cell).get("grade_id") in waiting:
                    cell.metadata.nbgrader["waits"] = True
        return super().from_notebook_node(nb, resources, **options)

    def default_filters(self) -> Any:
        """Add the template's own filters."""
        yield from super().default_filters()
        yield "formulas", mathml.in_html
        yield "sanitised", sanitise.html
        for question in (marks, waiting, outline, looks, folds):
            yield question.__name__, question


def marks(cells: list[Any]) -> list[Any]:
    """Return the cells that are worth points."""
    return [cell for cell in cells if _settings(cell).get("grade") or _settings(cell).get("task")]


def waiting(cells: list[Any]) -> list[Any]:
    """Return the cells that are worth points and have no mark yet."""
    return [cell for cell in marks(cells) if _settings(cell).get("waits")]


def outline(cell: Any) -> dict[str, Any]:
    """Return the outline of a cell's checks (`feedback.outline`), or an empty one."""
    outputs = cell.get("outputs", []) if _settings(cell).get("locked") else []
    found = [output.get("metadata", {}).get("referee") for output in outputs]
    return next(filter(None, found), {})


def looks(cells: list[Any]) -> list[dict[str, Any]]:
    """Return the failed checks in the order to look at: the first of each cell, then the rest."""
    told = [one for one in map(outline, marks(cells)) if one]
    lost = [[check | {"cell": one["cell"]} for check in one["lost"]] for one in told]
    lost.sort(key=lambda checks: -sum(check["lost"] for check in checks))
    turns = range(max(map(len, lost), default=0))
    return [checks[turn] for turn in turns for checks in lost if turn < len(checks)][:LOOKS]


def folds(cells: list[Any]) -> list[tuple[str, list[Any]]]:
    """Return the cells in runs: to be folded under a headline, or to be shown with none."""
    told = [one for one in map(outline, cells) if one]
    right = {one["cell"] for one in told if one["passed"] == one["checks"]}
    runs: list[tuple[str, list[Any]]] = []
    for cell in cells:
        if not _is_given(cell):
            name = _settings(cell).get("grade_id")
            runs.append((f"Your answer: {name}" if name in right else "", [cell]))
            continue
        if not runs or not _is_given(runs[-1][1][-1]):
            runs.append((BETWEEN, []))
        head, run = runs.pop()
        heading = HEADING.search(cell.source) if cell.cell_type == "markdown" else None
        if heading and head == BETWEEN:
            head = f"Not marked: {heading[1].replace('`', '')}"
        runs.append((head, [*run, cell]))
    return runs


def _is_given(cell: Any) -> bool:
    """Return whether a cell is neither an answer nor marked, and has not failed."""
    settings = _settings(cell)
    if any(settings.get(role) for role in ("grade", "solution", "task")):
        return False
    if cell.cell_type == "code":
        return not any(output.output_type == "error" for output in cell.outputs)
    return bool(settings.get("locked"))


def _settings(cell: Any) -> dict[str, Any]:
    return cell.metadata.get("nbgrader", {})  # type: ignore[no-any-return]
