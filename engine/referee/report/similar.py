"""Find submissions that are more similar than usual in the class, whatever names they use.

Compares runs of tokens of Python, with all names alike. Knows nothing of marks, decides nothing.
"""

import itertools
import re
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pygments.lexers import PythonLexer
from pygments.token import Comment, Name, String, Text

RUN = 16  # tokens: shorter passages are alike by nature
FEWEST = 60  # runs of one's own that can be compared: about eight lines
SHARED = 0.2  # of the class: what more students have is common knowledge
SHARED_AT_LEAST = 4
ALIKE = 0.8  # stands out of any class, however small
DISTANT = 5.0  # standard deviations from the mean of all pairs
LONGEST = 20_000  # characters of somebody's work that are compared
BLANK = re.compile(r"^[^\S\n]++$", re.MULTILINE)

Works = Mapping[str, Sequence[str]]  # the cells of each


class Pair(NamedTuple):
    """Two works, the share of the shorter one that is in the other, and its significance.

    `distance` is from the mean of all pairs that were compared, in standard deviations.
    """

    one: str
    other: str
    share: float
    distance: float


def pairs(written: Works, known: Works, given: Iterable[str] = ()) -> list[Pair]:
    """Return the pairs of a student and another, or a `known` work, the most similar first.

    `written` has the cells of each student; code that was `given` to all, or is in the work of
    many, does not count.
    """
    runs = {name: _work(cells) for name, cells in {**written, **known}.items()}
    holders = Counter(run for name in written for run in runs[name])
    many = max(SHARED_AT_LEAST, SHARED * len(written))
    ignored = {run for run, count in holders.items() if count > many}.union(*map(_runs, given))
    own = {name: mine - ignored for name, mine in runs.items() if len(mine - ignored) >= FEWEST}
    shares = {
        (one, other): len(own[one] & own[other]) / min(len(own[one]), len(own[other]))
        for one, other in itertools.combinations(own, 2)
        if one in written
    }
    mean = statistics.fmean(shares.values() or [0])
    spread = statistics.pstdev(shares.values() or [0]) or 1
    found = [Pair(*names, share, (share - mean) / spread) for names, share in shares.items()]
    alike = [pair for pair in found if pair.share >= ALIKE or pair.distance > DISTANT]
    return sorted(alike, key=lambda pair: (-pair.share, pair.one, pair.other))


def same_lines(one: str, other: str, given: Iterable[str] = ()) -> tuple[set[int], set[int]]:
    """Return the numbers of the lines, from 0, of passages that both texts have: in each of them.

    Passages in `given` cells do not count.
    """
    mine, theirs = _runs(one), _runs(other)
    shared = (mine.keys() & theirs.keys()).difference(*map(_runs, given))
    return {line for run in shared for line in mine[run]}, {
        n for run in shared for n in theirs[run]
    }


def _work(cells: Iterable[str]) -> set[int]:
    """Return the runs of tokens in all cells of somebody, or in the first of a very long work."""
    room, found = LONGEST, set[int]()
    for source in cells:
        found.update(_runs(source[:room]))
        room -= len(source[:room])
    return found


def _runs(source: str) -> dict[int, set[int]]:
    """Return the hash of each run of tokens, with the lines in which it is, from 0."""
    words, found = list(_tokens(source)), dict[int, set[int]]()
    for start in range(len(words) - RUN + 1):
        run = words[start : start + RUN]
        lines = found.setdefault(hash(tuple(word for _, word in run)), set())
        lines.update(line for line, _ in run)
    return found


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
