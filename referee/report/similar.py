"""Find submissions that are near to identical, whatever their names and comments are.

Compares what students wrote as tokens of Python, names all alike, by winnowing (Schleimer,
Wilkerson, Aiken, "Winnowing: local algorithms for document fingerprinting", 2003). Knows nothing of
marks and decides nothing.
"""

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from pygments.lexers import PythonLexer
from pygments.token import Comment, Name, String, Text

TOKENS = 16  # a fingerprint covers: shorter passages are alike by nature
WINDOW = 5  # fingerprints of which one is kept: no match of 20 tokens is missed
FEWEST = 20  # fingerprints of one's own that can be compared: about eight lines
SHARED = 0.2  # of the class: what more students have is common knowledge
SHARED_AT_LEAST = 4
ALIKE = 0.8

Prints = frozenset[int]


class Pair(NamedTuple):
    """Two students, and which share of the shorter work is in the other one, too."""

    one: str
    other: str
    share: float


def pairs(written: Mapping[str, Iterable[str]], common: Iterable[str] = ()) -> list[Pair]:
    """Return the students whose work is near to identical, the most alike first.

    `written` has the cells of each student; what is in `common` cells, or in the work of many, does
    not count.
    """
    ignored = {mark for source in common for mark in _grams(tokens(source))}
    prints = {name: fingerprints(cells) - ignored for name, cells in written.items()}
    holders: dict[int, list[str]] = {}
    for name, mine in prints.items():
        for mark in mine:
            holders.setdefault(mark, []).append(name)
    many = max(SHARED_AT_LEAST, SHARED * len(prints))
    rare = {mark: names for mark, names in holders.items() if len(names) <= many}
    own = Counter(name for names in rare.values() for name in names)
    both = Counter(pair for names in rare.values() for pair in combinations(names, 2))
    alike = []
    for (one, other), count in both.items():
        shorter = min(own[one], own[other])
        if shorter >= FEWEST and count >= ALIKE * shorter:
            alike.append(Pair(one, other, count / shorter))
    return sorted(alike, key=lambda pair: (-pair.share, pair.one, pair.other))


def fingerprints(cells: Iterable[str]) -> Prints:
    """Return the fingerprints of some cells, by which long enough passages are known again."""
    return frozenset(mark for source in cells for mark in _winnowed(_grams(tokens(source))))


def tokens(source: str) -> list[str]:
    """Return the tokens of a cell, right or wrong Python, without what can be changed at will.

    >>> tokens("total = max(a, 1)  # the most")
    ['name', '=', 'max', '(', 'name', ',', '1', ')']
    """
    return list(_tokens(source))


def _tokens(source: str) -> Iterator[str]:
    last = ""
    for kind, text in PythonLexer().get_tokens(source):
        if kind in Comment or kind in Text or kind in String.Doc:
            continue
        token = text
        if kind in String:
            token = "text"
        elif kind in Name and kind not in Name.Builtin:
            token = "name"
        if not token == last == "text":
            yield token
        last = token


def _grams(words: list[str]) -> list[int]:
    """Return a number for each run of tokens; the same one on any machine, on any day."""
    runs = range(len(words) - TOKENS + 1)
    return [zlib.crc32(" ".join(words[i : i + TOKENS]).encode()) for i in runs]


def _winnowed(grams: list[int]) -> Iterator[int]:
    """Yield the least number of each window."""
    for i in range(max(1, len(grams) - WINDOW + 1)):
        yield from sorted(grams[i : i + WINDOW])[:1]
