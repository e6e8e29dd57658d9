"""Hold the house to its size: what lies at the root, what is there twice, how long each room is."""

import hashlib
import os
from collections import defaultdict
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Lines of Python that a room may have. Whoever needs more takes them from another room, or writes
# the reason into the decisions.
BUDGETS = {
    "games.py": 520,
    "handout": 2_895,  # `show`, and opponents of Connect Four
    "adversarial/games": 580,  # what searches inside a process, with code that is given
    "adversarial/solvers": 828,
    "adversarial/checks": 2_518,  # the search that slips; suspects; traps; own trees
    "adversarial/diagnosis": 2_020,  # strips of boards, which no student draws
    "tests/hidden": 3_395,  # a check a direction, a score, a sign, a kind of cut; break-it
    "engine/referee/intake": 1_920,  # mutants; headings; what is no notebook; slips in addresses
    "engine/referee/sandbox/wire": 800,  # a zygote is asked for
    "engine/referee/sandbox/inside": 2_010,  # one process imports, zygotes lock themselves in
    "engine/referee/sandbox/outside": 2_700,  # a fork server; a copy shared, and replayed
    "engine/referee/judging": 2_150,  # mutants; which rule has refused; heads; values that share
    "engine/referee/marks": 3_680,  # `release`; marks by hand, saved safely, and alike
    "engine/referee/report": 1_020,  # the ladder: ratings, and a page of games
    "engine/referee/proof": 2_390,  # `viva`: calls, edits, runs, likely options; `reference`
    "engine/referee/doors": 6_360,  # `ladder`, `viva`, `release`, formgrader; names; `why` by work
    "engine/referee/workers": 390,  # who tell what runs
}
MOST_ENTRIES = 17  # CITATION.cff counts only at the root
LEAST_BYTES = 200  # smaller files may be alike by chance


IGNORED = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text("utf-8").split()]


def tracked(place: str = ".") -> list[Path]:
    """Return the files at a place, without hidden ones and those that belong to no version."""
    if (ROOT / place).is_file():
        return [ROOT / place]
    found = []
    for folder, folders, files in os.walk(ROOT / place):
        folders[:] = [name for name in folders if _counts(Path(folder, name))]
        found += [file for name in files if _counts(file := Path(folder, name))]
    return found


def _counts(file: Path) -> bool:
    names = file.name, f"/{file.relative_to(ROOT).as_posix()}"
    hidden = file.name.startswith(".")
    return not hidden and not any(fnmatch(name, one) for name in names for one in IGNORED)


def test_every_room_keeps_to_its_size() -> None:
    """Has no room grown without another one that shrinks, or a reason?"""
    lengths = {
        room: sum(file.read_bytes().count(b"\n") for file in tracked(room) if file.suffix == ".py")
        for room in BUDGETS
    }
    assert {room: n for room, n in lengths.items() if n > BUDGETS[room]} == {}


def test_the_root_can_be_taken_in_at_a_glance() -> None:
    """Are there few things at the root, so that somebody new finds theirs?"""
    entries = {file.relative_to(ROOT).parts[0] for file in tracked()}
    assert len(entries) <= MOST_ENTRIES


def test_nothing_is_there_twice() -> None:
    """Is no file the copy of another, but for what students get?"""
    places = defaultdict(list)
    for file in tracked():
        name = file.relative_to(ROOT).as_posix()
        content = file.read_bytes()
        if "release/" not in name and len(content) >= LEAST_BYTES:
            places[hashlib.sha256(content).digest()].append(name)
    assert [names for names in places.values() if len(names) > 1] == []
