"""Put the assignment that `referee new` writes into a folder, without nbgrader's help."""

from pathlib import Path

from referee.course import Assignment
from referee.doors import new


def put(root: Path) -> Assignment:
    """Write the assignment `a` and its course; its release holds the solution as well."""
    for template in ("course", "example"):
        for file, content in new.filled(template, {"ASSIGNMENT": "a"}).items():
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(content)
    (root / "release/a").mkdir(parents=True)
    (root / "release/a/a.ipynb").write_text((root / "source/a/a.ipynb").read_text())
    return Assignment("a", root)
