"""Choose the part of a bank that is judged where nothing was judged before, as on a fresh clone.

Each day it is another part; `make nightly`, and `make proof` without SHARE, judge all of it.
"""

import os
import zlib
from datetime import UTC, datetime

SHARE = int(os.environ.get("SHARE", "1"))


def is_due(name: str, one_in: int = 1) -> bool:
    """Return whether this is among the part due today: one in SHARE, or in `one_in` if larger."""
    today = datetime.now(UTC).date().toordinal()
    return (zlib.crc32(name.encode()) + today) % max(SHARE, one_in) == 0
