"""Ask whether a time is read as it was written, and never guessed."""

import datetime

import pytest

from referee.intake import times

LAST_MINUTE = datetime.datetime(2026, 11, 12, 22, 59)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-12 22:59",
        "2026-11-12 22:59:00.000000 UTC",
        "2026-11-12T22:59Z",
        "2026-11-12 23:59 +0100",
        "2026-11-12 17:59:00-05:00",
        "2026-11-12 23:59 Europe/Berlin",
        "2026-11-12 19:29:00 America/St_Johns",
        "2026-11-12 19:59 America/Argentina/Buenos_Aires",
    ],
)
def test_one_moment_is_read_from_each_way_to_write_it(text: str) -> None:
    """Is it in UTC, as nbgrader keeps it?"""
    assert times.moment(text) == LAST_MINUTE
    assert times.moment(times.written(LAST_MINUTE)) == LAST_MINUTE


@pytest.mark.parametrize(
    ("text", "at"),
    [("2026-11-12", (0, 0)), ("2026-11-12 -0930", (9, 30)), ("2026-11-12 Z", (0, 0))],
)
def test_a_day_alone_begins_at_midnight(text: str, at: tuple[int, int]) -> None:
    assert times.moment(text) == datetime.datetime(2026, 11, 12, *at)


NO_TIMES = (
    "12.11.2026 23:59", "11/12/2026", "2026-11-12 11:59 PM", "23:59", "2026-11-12 2359", "20261112",
    "2026-11-12 24:00", "2026-02-30", "2026-11-12 23:59:60 UTC", "2026-1-2", "2026-W46-4", "",
    "12 Nov 2026", "2026-11-12 23:59 +25:00", "2026-11-12 23:59 +1", "2026-11-12 23:59 +0175",
    "２０２６-11-12", "2026-11-12\n23:59", "2026-11-12 23:59 UTC+1", "0001-01-01 00:00 +0500",
    "9999-12-31 23:59 -0500", "9999-12-31 23:59 America/New_York", "2026-11-12T", "1e3", "2026-11",
    "2026-11-12 23:59  UTC", "2026-11-12 23:59 UTC Europe/Berlin", "2026-11-12 23:59Europe/Berlin",
)  # fmt: skip


@pytest.mark.parametrize("text", NO_TIMES)
def test_what_could_be_another_time_is_none(text: str) -> None:
    """Is it refused with a sentence, and is what that says to write a time?"""
    with pytest.raises(ValueError, match=r"write .*2027-01-31 23:59 Europe/Berlin") as caught:
        times.moment(text)
    assert times.moment("2027-01-31 23:59 Europe/Berlin") == times.moment("2027-01-31 22:59")
    assert "\n" not in str(caught.value)


NO_ZONES = (
    "CEST", "MEZ", "EST", "CET", "Europe", "Europe/", "../../etc/passwd", "/etc/localtime", "utc",
    "posix/Europe/Berlin", "right/Europe/Berlin", "Mars/Mons", "localtime", "Europe/Berlin\0",
    "Europe/../Europe/Berlin", "Europe/Berln", "europe/berlin", "Etc/GMT+1",
)  # fmt: skip


@pytest.mark.parametrize("zone", NO_ZONES)
def test_a_zone_has_the_name_of_a_place(zone: str) -> None:
    """Are short names, which differ between countries, and what is no zone refused?"""
    with pytest.raises(ValueError, match=r"zone that means the same everywhere.* write "):
        times.moment(f"2026-11-12 23:59 {zone}")
