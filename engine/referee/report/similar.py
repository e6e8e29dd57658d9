"""Find submissions that are more similar than usual in the class, whatever names they use.

Compares the students' code as tokens of Python, with all names alike, by winnowing (Schleimer,
Wilkerson, Aiken, "Winnowing: local algorithms for document fingerprinting", 2003). Knows nothing of
marks and decides nothing.
"""

import math
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pygments.lexers import PythonLexer
from pygments.token import Comment, Name, String, Text

TOKENS = 16  # a fingerprint covers: shorter passages are alike by nature
WINDOW = 5  # fingerprints of which one is kept: no match of 20 tokens is missed
FEWEST = 20  # fingerprints of one's own that can be compared: about eight lines
SHARED = 0.2  # of the class: what more students have is common knowledge
SHARED_AT_LEAST = 4
ALIKE = 0.8  # stands out of any class, however small
DISTANT = 5.0  # standard deviations from the mean of all pairs
WORD_FOR_WORD = 0.9  # of somebody's own lines
FEWEST_LINES = 8
LONGEST = 20_000  # characters of somebody's work that are compared
BLANK = re.compile(r"^[^\S\n]++$", re.MULTILINE)

Prints = frozenset[int]
Works = Mapping[str, Sequence[str]]  # the cells of each
Share = tuple[str, str, float]  # whose work, in whose, and which share of the shorter one


class Pair(NamedTuple):
    """Two works, the share of the shorter one that is in the other, and its significance.

    `distance` is from the mean of all pairs that were compared, in standard deviations.
    """

    one: str
    other: str
    share: float
    distance: float


def pairs(written: Works, common: Iterable[str] = ()) -> list[Pair]:
    """Return the pairs of students with unusually similar work, the most similar first.

    `written` has the cells of each student; code that is in `common` cells, or in the work of many,
    does not count.
    """
    prints = _own(written, common)
    place = {name: number for number, name in enumerate(prints)}

    def sharing() -> Iterator[Share]:
        return (one for one in _sharing(prints, prints) if place[one[0]] < place[one[1]])

    return _outstanding(sharing, math.comb(len(prints), 2))


def against(written: Works, known: Works, given: Iterable[str] = ()) -> list[Pair]:
    """Return the pairs of a student and a similar work in `known`, the most similar first.

    Code that was `given` to all students, or is in the work of many, does not count.
    """
    mine, ignored = _own(written, given), _marks(given)
    theirs = {name: fingerprints(cells) - ignored for name, cells in known.items()}
    return _outstanding(lambda: _sharing(mine, theirs), len(mine) * len(theirs))


def verbatim(written: Works, published: Iterable[str], given: Iterable[str] = ()) -> list[str]:
    """Return the students whose work consists almost only of lines of `published` code."""
    handed_out = _lines(given)
    lines = _lines(published) - handed_out
    found = []
    for name, cells in written.items():
        mine = _lines(cells) - handed_out
        if len(mine) >= FEWEST_LINES and len(mine & lines) >= WORD_FOR_WORD * len(mine):
            found.append(name)
    return sorted(found)


def same_lines(one: str, other: str, given: Iterable[str] = ()) -> tuple[set[int], set[int]]:
    """Return the numbers of the lines, from 0, of passages that both texts have: in each of them.

    Passages in `given` cells do not count.
    """
    read = [list(_tokens(text)) for text in (one, other)]
    grams = [_grams([word for _, word in words]) for words in read]
    shared = {*grams[0]} & {*grams[1]} - _marks(given)

    def lines(words: list[tuple[int, str]], marks: list[int]) -> set[int]:
        starts = [start for start, mark in enumerate(marks) if mark in shared]
        return {line for start in starts for line, _ in words[start : start + TOKENS]}

    return lines(read[0], grams[0]), lines(read[1], grams[1])


def _own(written: Works, common: Iterable[str]) -> dict[str, Prints]:
    """Return the fingerprints of each student's work that neither `common` nor many others have."""
    ignored = _marks(common)
    prints = {name: fingerprints(cells) - ignored for name, cells in written.items()}
    holders = Counter(mark for mine in prints.values() for mark in mine)
    many = max(SHARED_AT_LEAST, SHARED * len(prints))
    return {
        name: frozenset(mark for mark in mine if holders[mark] <= many)
        for name, mine in prints.items()
    }


def _sharing(mine: Mapping[str, Prints], theirs: Mapping[str, Prints]) -> Iterator[Share]:
    """Yield pairs of works with common fingerprints, and the share, if both are long enough."""
    holders: dict[int, list[str]] = defaultdict(list)
    for other, prints in theirs.items():
        for mark in prints if len(prints) >= FEWEST else ():
            holders[mark].append(other)
    for one, prints in mine.items():
        if len(prints) >= FEWEST:
            both = Counter(other for mark in prints for other in holders.get(mark, ()))
            for other, count in both.items():
                yield one, other, count / min(len(prints), len(theirs[other]))


def _outstanding(sharing: Callable[[], Iterator[Share]], couples: int) -> list[Pair]:
    """Return the pairs that stand out of `couples` compared pairs, the most similar first.

    `sharing` yields the pairs with a common part; it is read twice, as they are too many to store.
    """
    total = squares = 0.0
    for _, _, share in sharing():
        total, squares = total + share, squares + share**2
    mean = total / max(1, couples)
    spread = math.sqrt(max(0.0, squares / max(1, couples) - mean**2))
    alike = [
        Pair(one, other, share, (share - mean) / (spread or 1))
        for one, other, share in sharing()
        if share >= ALIKE or share - mean > DISTANT * spread
    ]
    return sorted(alike, key=lambda pair: (-pair.share, pair.one, pair.other))


def _marks(cells: Iterable[str]) -> set[int]:
    return {mark for source in cells for mark in _grams(tokens(source))}


def _lines(cells: Iterable[str]) -> set[str]:
    """Return the lines of code, without comments and without lines that most programs have."""
    lines = (line.partition("#")[0].split() for source in cells for line in source.splitlines())
    return {" ".join(words) for words in lines if len(words) > 1}


def fingerprints(cells: Iterable[str]) -> Prints:
    """Return the fingerprints of some cells; equal passages that are long enough share one."""
    room, found = LONGEST, set[int]()
    for source in cells:
        found.update(_winnowed(_grams(tokens(source[:room]))))
        room -= len(source[:room])
    return frozenset(found)


def tokens(source: str) -> list[str]:
    """Return the tokens of a cell, valid Python or not, without names, comments and layout.

    >>> tokens("total = max(a, 1)  # the most")
    ['name', '=', 'max', '(', 'name', ',', '1', ')']
    """
    return [token for _, token in _tokens(source)]


def _tokens(source: str) -> Iterator[tuple[int, str]]:
    """Yield each token with the line that it begins in, from 0; of a very long text the first."""
    last, line = "", 0
    # From each line of spaces alone the lexer would look for a docstring after all the next ones.
    code = BLANK.sub("", source[:LONGEST].replace("\r\n", "\n").replace("\r", "\n"))
    for kind, text in PythonLexer(stripnl=False).get_tokens(code):
        begin, line = line, line + text.count("\n")
        if kind in Comment or kind in Text or kind in String.Doc:
            continue
        token = text
        if kind in String:
            token = "text"
        elif kind in Name and kind not in Name.Builtin:
            token = "name"
        if not token == last == "text":
            yield begin, token
        last = token


def _grams(words: list[str]) -> list[int]:
    """Return a hash for each run of tokens, the same on any machine."""
    runs = range(len(words) - TOKENS + 1)
    return [zlib.crc32(" ".join(words[i : i + TOKENS]).encode()) for i in runs]


def _winnowed(grams: list[int]) -> Iterator[int]:
    """Yield the least number of each window."""
    for i in range(max(1, len(grams) - WINDOW + 1)):
        yield from sorted(grams[i : i + WINDOW])[:1]
