"""Write tables as CSV that are safe to open in a spreadsheet program.

Such a program runs a text that begins like a formula; an apostrophe before it makes it a text
again. Knows nothing of marks.
"""

import csv
import io
from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
DIGITS = 4  # of a mark after the point


def as_csv(rows: list[list[Any]]) -> bytes:
    """Return a table as CSV in UTF-8, without anything that a spreadsheet program would run."""
    file = io.StringIO(newline="")
    csv.writer(file).writerows([_field(value) for value in r] for r in rows)
    return file.getvalue().encode("utf-8", "replace")


def _field(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return round(value, DIGITS) if isinstance(value, float) else value
