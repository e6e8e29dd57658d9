"""Find submissions that are more similar than usual in the class, whatever names they use.

Compares runs of tokens of Python, with all names alike. Knows nothing of marks, decides nothing.
"""

import itertools
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
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
MOST = 30  # pairs: nobody asks more students than that
SEPARATOR = "# ---"  # of cells
BLANK = re.compile(r"^[^\S\n]++$", re.MULTILINE)

Works = Mapping[str, Sequence[str]]  # the cells of each
Runs = Mapping[int, set[tuple[int, int]]]  # by hash, the cells and lines in which one is, from 0
Lines = list[tuple[str, bool]]  # each with whether the other work has it


class Pair(NamedTuple):
    """Two works, the share of the shorter one that is in the other, and its significance.

    `distance` is from the mean of all pairs that were compared, in standard deviations. `sides` are
    the lines of both.
    """

    one: str
    other: str
    share: float
    distance: float
    sides: tuple[Lines, Lines]


def pairs(submissions: Works, others: Works, release: Iterable[str] = ()) -> list[Pair]:
    """Return the pairs of a student and another, or one of the `others`, the most similar first.

    There are at most `MOST`. `submissions` has the cells of each student; code that is in the
    `release`, or in the work of many, does not count.
    """
    works = {**submissions, **others}
    runs = {name: {*_runs(cells)} for name, cells in works.items()}
    holders = Counter(run for name in submissions for run in runs[name])
    many = max(SHARED_AT_LEAST, SHARED * len(submissions))
    ignored = {run for run, count in holders.items() if count > many}
    ignored = ignored.union(*(_runs([cell]) for cell in release))
    rest = {name: work - ignored for name, work in runs.items() if len(work - ignored) >= FEWEST}
    shares = {
        (one, other): len(rest[one] & rest[other]) / min(len(rest[one]), len(rest[other]))
        for one, other in itertools.combinations(rest, 2)
        if one in submissions
    }
    mean = statistics.fmean(shares.values() or [0])
    spread = statistics.pstdev(shares.values() or [0]) or 1
    result = list[Pair]()
    for one, other in sorted(shares, key=lambda names: (-shares[names], *names)):
        share, same = shares[one, other], rest[one] & rest[other]
        distance = (share - mean) / spread
        if len(result) < MOST and (share >= ALIKE or distance > DISTANT):
            sides = _lines(works[one], same), _lines(works[other], same)
            result.append(Pair(one, other, share, distance, sides))
    return result


def _runs(cells: Iterable[str]) -> Runs:
    """Return the runs of tokens in somebody's cells, or in the first of a very long work."""
    runs, room = defaultdict[int, set[tuple[int, int]]](set), LONGEST
    for number, source in enumerate(cells):
        words, last, line = list[tuple[int, str]](), "", 0  # each with the line that it begins in
        text = source[:room].replace("\r\n", "\n").replace("\r", "\n")
        room -= len(source[:room])
        # From each line of spaces alone the lexer would look for a docstring after all the next.
        for kind, token in PythonLexer(stripnl=False).get_tokens(BLANK.sub("", text)):
            begin, line = line, line + token.count("\n")
            if kind in Comment or kind in Text or kind in String.Doc:
                continue
            word = token
            if kind in String:
                word = "text"
            elif kind in Name and kind not in Name.Builtin:
                word = "name"
            if not word == last == "text":
                words.append((begin, word))
            last = word
        for start in range(len(words) - RUN + 1):
            run = words[start : start + RUN]
            places = runs[hash(tuple(word for _, word in run))]
            places.update((number, line) for line, _ in run)
    return runs


def _lines(cells: Sequence[str], same: Set[int]) -> Lines:
    """Return the lines of a work's cells, and whether they are in the `same` passages."""
    runs, result, room = _runs(cells), Lines(), LONGEST
    places = {place for run in same for place in runs[run]}
    for number, source in enumerate(cells):
        result += [(SEPARATOR, False)] if number else []
        lines = source[:room].splitlines()
        result += [(line, (number, i) in places) for i, line in enumerate(lines)]
        room -= len(source[:room])
    return result
