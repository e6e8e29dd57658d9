"""Put the assignment that `referee new` writes into a folder."""

from pathlib import Path

from referee.course import Assignment
from referee.doors import authoring, release


def put(root: Path) -> Assignment:
    """Write the assignment `a`, its course and its release."""
    for template in ("course", "example"):
        for file, content in authoring.filled(template, {"ASSIGNMENT": "a"}).items():
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(content)
    release.make(root, "a")
    return Assignment("a", root)
