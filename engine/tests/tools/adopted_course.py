"""Make a course as nbgrader's users have them: two notebooks, asserts in test cells, no checks.

Its configuration is empty. `hand_in` puts submissions there, solved but for the cells given.
"""

import json
from pathlib import Path
from typing import Any

from formgrading import BIN, run

NAME = "week1"
HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"
SOLVED = {
    "squares": '''def squares(n):
    """Return the first n squares."""
    ### BEGIN SOLUTION
    if n < 1:
        raise ValueError("n is too small")
    return [i * i for i in range(1, n + 1)]
    ### END SOLUTION''',
    "mean": """def mean(numbers):
    ### BEGIN SOLUTION
    return sum(numbers) / len(numbers)
    ### END SOLUTION""",
    "item": """class Missing(Exception):
    pass

def item(things, name):
    ### BEGIN SOLUTION
    if name not in things:
        raise Missing(name)
    return things[name]
    ### END SOLUTION""",
    "count": """def count(text, letter):
    ### BEGIN SOLUTION
    return text.count(letter)
    ### END SOLUTION""",
}
TESTS = {  # points and source
    "squares_right": (
        2, "assert squares(1) == [1]\n" + HIDDEN.format("assert squares(3) == [1, 4, 9]"),
    ),
    "squares_raise": (
        1, "try:\n    squares(0)\nexcept ValueError:\n    pass\nelse:\n"
        "    raise AssertionError('squares(0) does not raise')",
    ),
    "mean_right": (
        3, "def close(x, y):\n    assert math.isclose(x, y), f'{x} is not {y}'\n"
        "close(mean([1, 2]), 1.5)\n" + HIDDEN.format("close(mean([1, 2, 6]), 3)\nTINY = 1e-9\n"
        "def far(x, y):\n    return distance(x, y) > TINY\ndef distance(x, y):\n"
        "    return abs(x - y)"),
    ),
    "mean_uses_sum": (
        1, "close(mean([4, 4]), 4)\nassert_equal(mean([5]), 5)\nassert all([mean([2]) == 2])\n"
        + HIDDEN.format("assert not far(mean([1, 4]), 2.5)"),
    ),
    "item_raises": (
        1, "import pytest\nassert item({'a': 1}, 'a') == 1\nwith pytest.raises(Missing):\n"
        "    item({}, 'a')\ntry:\n    item(None, 'a')\nexcept TypeError:\n    pass\n"
        "else:\n    assert False",
    ),
    "count_parts": (
        4, "points = 0\nif count('anna', 'a') == 2:\n    points += 1.5\n"
        "if count('anna', 'n') == 2 and count('', 'n') == 0:\n    points += 2.5\npoints",
    ),
    "count_captured": (1, "%%capture said\nassert count('no', 'x') + 3 * count('anna', 'n') == 6"),
    "count_awaited": (
        1, "import doctest\nasync def later():\n    return count('anana', 'a')\n"
        "class Example:\n    '''\n    >>> count('x', 'y')\n    0\n    '''\n"
        "if __name__ == '__main__':\n    assert await later() == 3\n"
        "assert doctest.testmod().failed == 0",
    ),
}  # fmt: skip
NOTEBOOKS = {
    "numbers": ["first", "squares", "squares_right", "squares_raise", "mean", "mean_right",
                "mean_uses_sum", "item", "item_raises"],
    "words": ["count", "count_parts", "count_captured", "count_awaited", "essay"],
}  # fmt: skip
CONFIG = f"""\
import os
os.environ["PATH"] = {str(BIN)!r} + os.pathsep + os.environ["PATH"]  # nbgrader calls alembic
c = get_config()
"""
FIRST = "import math\nfrom unittest import TestCase\nassert_equal = TestCase().assertEqual"
HALF = {
    "squares": "def squares(n):\n    return [i * i for i in range(1, n + 1)]",
    "mean": "def mean(numbers):\n    return sum(numbers) / 2",
    "count": "def count(text, letter):\n    return 2",
}


def make(root: Path) -> Path:
    """Put the course into a folder, with its release and gradebook; return the folder."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "nbgrader_config.py").write_text(CONFIG)
    for name in NOTEBOOKS:
        file = root / "source" / NAME / f"{name}.ipynb"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(notebook(name)))
    run(root, "nbgrader", "generate_assignment", NAME, "--create")
    return root


def hand_in(root: Path, student: str, instead: dict[str, str]) -> None:
    """Hand in both notebooks with some cells as given, the others solved."""
    for name in NOTEBOOKS:
        file = root / "submitted" / student / NAME / f"{name}.ipynb"
        file.parent.mkdir(parents=True, exist_ok=True)
        released = json.loads((root / "release" / NAME / f"{name}.ipynb").read_text())
        for cell in released["cells"]:
            grade_id = cell["metadata"]["nbgrader"]["grade_id"]
            cell["source"] = instead.get(grade_id, SOLVED.get(grade_id, "".join(cell["source"])))
        file.write_text(json.dumps(released))


def notebook(name: str) -> dict[str, Any]:
    """Return one of the instructor's notebooks, with the solution."""
    cells = [_cell(cell) for cell in NOTEBOOKS[name]]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 4}


def _cell(name: str) -> dict[str, Any]:
    points, source = TESTS.get(name, (0, SOLVED.get(name, FIRST)))
    data: dict[str, Any] = {
        "grade": bool(points), "grade_id": name, "locked": name not in SOLVED, "schema_version": 3,
        "solution": name in SOLVED, "task": False,
    } | ({"points": points} if points else {})  # fmt: skip
    if name == "essay":
        data |= {"grade": True, "solution": True, "locked": False, "points": 2}
        return {"cell_type": "markdown", "metadata": {"nbgrader": data}, "source": "Words."}
    return {
        "cell_type": "code", "execution_count": None, "metadata": {"nbgrader": data},
        "outputs": [], "source": source,
    }  # fmt: skip
