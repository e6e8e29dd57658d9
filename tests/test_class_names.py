"""Hold the course to one meaning for each class name, in what is secret and what students get."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
OF_THE_COURSE = [
    ROOT / "games.py",
    *ROOT.glob("handout/**/*.py"),
    *ROOT.glob("adversarial/**/*.py"),
]
OF_THE_TOOL = sorted((ROOT / "engine/referee").rglob("*.py"))
# Classes whose name the tool has, too: what runs a notebook, and a place where somebody's data lie.
NAMESAKES = {"Player", "Trace"}


def classes(files: list[Path]) -> dict[str, list[str]]:
    """Return where each class is defined, by its name."""
    places = defaultdict(list)
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(file.relative_to(ROOT).as_posix())
    return places


def test_a_class_name_stands_for_one_thing() -> None:
    """Is each class of the course the only one of its name, in the course and in the tool?"""
    own, others = classes(OF_THE_COURSE), classes(OF_THE_TOOL)
    assert "Trace" in own
    assert {name: files for name, files in own.items() if len(files) > 1} == {}
    assert (own.keys() & others.keys()) - NAMESAKES == set()
