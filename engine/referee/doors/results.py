"""Write what a command has found as JSON for other programs: `docs/reference/json.md`.

Each command makes one struct for it, which `show` prints, and whose fields are the JSON.
"""

import sys
from pathlib import Path
from typing import Any

import msgspec

from referee.marks import files

STANDARD = Path("-")  # standard output
REPORT = (  # what `check` writes of a report
    "assignment", "isolation", "score", "max_score", "cells", "checks", "explanations", "repairs",
    "failures", "refused",
)  # fmt: skip


def save(file: Path | None, result: Any) -> None:
    """Write a result as JSON that people can read, too; nothing if no file is named."""
    content = msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n"
    if file == STANDARD:
        sys.stdout.buffer.write(content)
    elif file is not None:
        files.save(file, content)
