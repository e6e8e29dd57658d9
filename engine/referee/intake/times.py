"""Read dates and times as people write them: those that mean the same everywhere.

Times are in UTC and have no zone of their own, as nbgrader keeps them.
"""

import functools
import re
import zoneinfo
from datetime import UTC, datetime, tzinfo

TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?))?(Z|[+-][\d:]+| .+)?", re.ASCII
)
OFFSET = re.compile(r"[+-]([01]\d|2[0-3]):?[0-5]\d", re.ASCII)
_zones = functools.cache(zoneinfo.available_timezones)
HOW = "write it as 2027-01-31 23:59 Europe/Berlin, as 2027-01-31 23:59 +0100, or in UTC"


def moment(text: str) -> datetime:
    """Return the time of an ISO date, or date and time; ValueError with the fault.

    Nothing, `Z` or `UTC` may follow, an offset, or the name of a zone. A day begins at midnight,
    and an hour that is twice on the clocks of a zone counts as the first.
    """
    match = TIME.fullmatch(text)
    name = (match[3] or "").removeprefix(" ") if match else ""
    zone: tzinfo | None = UTC
    if OFFSET.fullmatch(name):
        zone = datetime.strptime(name, "%z").tzinfo
    elif "/" in name and not name.startswith("Etc/") and name in _zones():  # Etc/GMT+1 is -0100
        zone = zoneinfo.ZoneInfo(name)
    elif name not in ("", "Z", "UTC"):  # CST is ambiguous
        raise ValueError(f"does not end in a time zone that means the same everywhere; {HOW}")
    try:
        here = datetime.fromisoformat(f"{match[1]} {match[2] or '00:00'}" if match else "")
        return here.replace(tzinfo=zone).astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"is no time; {HOW}") from error


def written(time: datetime) -> str:
    """Return a time in nbgrader's format for time stamps, in UTC."""
    return f"{time.isoformat(' ', 'microseconds')} UTC"
