"""Hold both products to one meaning for each class name."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = [
    ROOT / "games.py",
    *ROOT.glob("handout/**/*.py"),
    *ROOT.glob("adversarial/**/*.py"),
    *(ROOT / "engine/referee").rglob("*.py"),
]
# What runs a notebook, and who moves in a game; the student that hidden and public checks ask.
NAMESAKES = {"Player", "Student"}


def classes(files: list[Path]) -> dict[str, list[str]]:
    """Return where each class is defined, by its name."""
    places = defaultdict(list)
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(file.relative_to(ROOT).as_posix())
    return places


def test_a_class_name_stands_for_one_thing() -> None:
    """Is each class the only one of its name, in the course and in the tool?"""
    assert {name for name, files in classes(FILES).items() if len(files) > 1} == NAMESAKES
