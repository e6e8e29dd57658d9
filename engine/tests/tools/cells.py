"""Make cells of notebooks as nbgrader has them."""

from typing import Any


def cell(name: str, source: str, points: int = 0) -> dict[str, Any]:
    """Return a solution cell, or with points the cell that shows its marks."""
    data = {
        "grade": bool(points), "grade_id": name, "locked": bool(points), "schema_version": 3,
        "solution": not points, "task": False,
    } | ({"points": points} if points else {})  # fmt: skip
    return {
        "cell_type": "code", "execution_count": None, "id": name, "metadata": {"nbgrader": data},
        "outputs": [], "source": source,
    }  # fmt: skip
