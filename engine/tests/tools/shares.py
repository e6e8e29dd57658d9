"""Choose what is asked now: all in its long form at night, and of a bank the part that is due.

`make nightly` sets NIGHTLY: what has a long form is asked in that, and judged anew. With SHARE=48,
as on CI, another part of the banks is judged each day, the day on which the tests began; else
all.
"""

import os
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import pytest

from referee.proof import bank

NIGHTLY = bool(os.environ.get("NIGHTLY"))
SHARE = int(os.environ.get("SHARE", "1"))
TODAY = int(os.environ.setdefault("TODAY", str(datetime.now(UTC).date().toordinal())))


def is_due(name: str, one_in: int = 1, share: int = SHARE) -> bool:
    """Return whether this is among the part due today: one in `share`, or in `one_in` if larger."""
    return (zlib.crc32(name.encode()) + TODAY) % max(share, one_in) == 0


def of_today(solutions: list[bank.Solution]) -> list[bank.Solution]:
    """Return the solutions of a bank that are due, a right one twice as often as another."""
    return [
        one
        for one in solutions
        if is_due(one.name, share=max(1, SHARE // 2) if one.kind == "right" else SHARE)
    ]


def sampled(values: Iterable[Any], *daily: Any) -> list[Any]:
    """Return parameters that ask one mechanism: those of `daily`, and by `make nightly` all."""
    return [
        pytest.param(
            *(one if isinstance(one, tuple) else [one]),
            marks=[] if one in daily else [pytest.mark.nightly],
        )
        for one in values
    ]
