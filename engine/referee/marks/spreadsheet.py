"""Write tables as CSV that are safe to open in a spreadsheet program.

Such a program runs a text that begins like a formula, also after spaces and invisible characters,
and in the middle of a text if it separates fields by other signs than a comma. An apostrophe before
it keeps it a text. Knows nothing of marks.
"""

import csv
import io
import re
from typing import Any

from referee.intake.folder import UNSEEN

STARTS = re.compile(rf"(?:^|(?<=[;|\t\r\n]))(?=[\s{UNSEEN}]*[=+\-@＝＋－＠]|^[\t\r\n])")
DIGITS = 4  # of a mark after the point


def as_csv(rows: list[list[Any]]) -> bytes:
    """Return a table as CSV in UTF-8, without anything that a spreadsheet program would run."""
    file = io.StringIO(newline="")
    csv.writer(file).writerows([_field(value) for value in r] for r in rows)
    return file.getvalue().encode("utf-8", "replace")


def _field(value: Any) -> Any:
    if isinstance(value, str):
        return STARTS.sub("'", value)
    return round(value, DIGITS) if isinstance(value, float) else value
