"""Choose the part of a bank that is judged where nothing was judged before, as on a fresh clone.

Each day it is another part; `make nightly`, and `make proof` without SHARE, judge all of it.
"""

import os
import zlib
from datetime import UTC, datetime

from referee.proof import bank

SHARE = int(os.environ.get("SHARE", "1"))


def is_due(name: str, one_in: int = 1, share: int = SHARE) -> bool:
    """Return whether this is among the part due today: one in `share`, or in `one_in` if larger."""
    today = datetime.now(UTC).date().toordinal()
    return (zlib.crc32(name.encode()) + today) % max(share, one_in) == 0


def of_today(solutions: list[bank.Solution]) -> list[bank.Solution]:
    """Return the solutions of a bank that are due, a right one twice as often as another."""
    return [
        one
        for one in solutions
        if is_due(one.name, share=max(1, SHARE // 2) if one.kind == "right" else SHARE)
    ]
