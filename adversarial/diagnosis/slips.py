"""Find the slip that makes alpha-beta in words do what a student's search does.

A slip is one to three edits of the search with a limit; `misconceptions.toml` holds those of each
misconception, with its texts. A student has it if the search with one of its slips, in one of the
styles of right searches, gives the same answers and generates the same states on all trees.
Nothing in this file is sent to a student's process.
"""

import contextlib
import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from adversarial.diagnosis.questions import TreeQuestion
from adversarial.games.recorded import Trace
from adversarial.search import LIMITED, Edits, edited, edits_of, search_text
from games import State

FIGURE = "figure 5.2 with MAX to move in A: a1, since B is worth 3, C 2 and D 2"
TEXTS = Path(__file__).with_name("misconceptions.toml")
ENDLESS = "endless"  # the answer of a search that never ends
TOLD: Edits = (("return best_move", "return most, best_move"),)  # the value as well
NO_CUTS: Edits = (("best >= beta", "False"), ("worst <= alpha", "False"))
LATER: Edits = (("value > most", "value >= most"),)
STRICT: Edits = (("best >= beta", "best > beta"), ("worst <= alpha", "worst < alpha"))
MEETING: Edits = (  # cuts when alpha meets beta
    (
        "if best >= beta:\n                return best\n            alpha = max(alpha, best)",
        "alpha = max(alpha, best)\n            if alpha >= beta:\n                return best",
    ),
    (
        "if worst <= alpha:\n                return worst\n            beta = min(beta, worst)",
        "beta = min(beta, worst)\n            if beta <= alpha:\n                return worst",
    ),
)
HARD: Edits = (("best = -infinity", "best = alpha"), ("worst = infinity", "worst = beta"))
LIMITED_SEARCH = search_text(LIMITED)
ROOT = LIMITED_SEARCH[LIMITED_SEARCH.index("    best_move, most =") :]
ONE_FUNCTION: Edits = (  # the root is searched as any other state in which MAX moves
    (
        ROOT.replace(*TOLD[0]),
        """    valued, root, inner = {}, state, min_value

    def min_value(state, alpha, beta, depth):
        value = inner(state, alpha, beta, depth)
        if len(state) == len(root) + 1:
            valued[state[-1]] = value
        return value

    most = max_value(state, alpha, beta, 0)
    return most, next((move for move, value in valued.items() if value == most), None)
""",
    ),
)
STYLES: Sequence[Edits] = [  # the differences between right searches
    (), STRICT, STRICT + LATER, MEETING, HARD, ONE_FUNCTION, ONE_FUNCTION + STRICT,
    ONE_FUNCTION + MEETING,
]  # fmt: skip
WHOLE: Sequence[Edits] = [NO_CUTS, NO_CUTS + LATER, NO_CUTS + ONE_FUNCTION]  # of plain minimax
FORMS = {  # of slips in the table of misconceptions
    "slips": "{}",
    "utility": "game.utility(state, player) -> (lambda u: {})(game.utility(state, player))",
    "estimate": "estimate(state, player) -> (lambda e: {})(estimate(state, player))",
    "either": "{}",
}
MIRROR = {"max": "min", "best": "worst", "alpha": "beta", "-infinity": "infinity", ">": "<"}
MIRROR |= {value: key for key, value in MIRROR.items()}
MIRRORED = re.compile(
    r"\b(?:max|min)(?=\(|_value)|\bbest\b|\bworst\b|alpha|beta|-?infinity|(?<!depth )[<>]"
)


class KnownMistake(NamedTuple):
    """A known mistake: its name, what the table says of it, and the slips that are forms of it."""

    name: str
    words: Mapping[str, Any]
    slips: Sequence[Edits]

    def is_behind(self, error: str) -> bool:
        """Return whether the message of an error is one of this mistake."""
        return "errors" in self.words and bool(re.search(self.words["errors"], error))

    def is_only_in(self, kinds: set[str]) -> bool:
        """Return whether it gets questions of just these kinds wrong."""
        must, *may = self.words.get("only_in", [""])
        return must in kinds and kinds <= {must, *may}


@cache
def known_mistakes() -> dict[str, KnownMistake]:
    """Return the misconceptions by their names, in the order in which they are tried."""
    mistakes = {}
    for name, texts in tomllib.loads(TEXTS.read_text("utf-8")).items():
        words = {"try": FIGURE} | texts
        slips = list[Edits]()
        for number in words.pop("numbers", [0]):
            edits = {key: _edits(words.get(key, []), key, str(number)) for key in FORMS}
            slips += edits["slips"] + edits["utility"] + edits["estimate"]
            for slip in edits["either"]:
                slips += [slip, mirrored(slip), slip + mirrored(slip)]
        mistakes[name] = KnownMistake(name, words, slips)
    return mistakes


def _edits(texts: Sequence[str], key: str, number: str) -> list[Edits]:
    """Return the edits of each slip under a key of the table, with a number in place of #."""
    return [edits_of(FORMS[key].format(text.replace("#", number))) for text in texts]


def mirrored(edits: Edits) -> Edits:
    """Return the edits of `min_value` that are to MIN what these of `max_value` are to MAX."""

    def mirror(text: str) -> str:
        text = MIRRORED.sub(lambda match: MIRROR[match[0]], text)
        return re.sub(r"(state|\)), ([^,]+), ([^,]+), depth", r"\1, \3, \2, depth", text)

    return tuple((mirror(old), mirror(new)) for old, new in edits)


class SearchRecord(Trace):
    """The record of a search of a question: what it generates, its answer, its value of the root.

    The answer is ENDLESS if there is no end; the value is None if it was not returned.
    """

    def __init__(self, question: TreeQuestion) -> None:
        """Begin with an empty record."""
        super().__init__(question.game, question.state)
        self.question = question
        self.answer: Any = None
        self.value: Any = None

    def fits(self, search: Callable[..., Any]) -> bool:
        """Return whether a search of ours does the same: answer, value and generated states."""
        replay = self.replay(search)
        if ENDLESS in (replay.answer, self.answer):
            return bool(replay.answer == self.answer)
        same = (replay.answer, {*replay.generated}) == (self.answer, {*self.generated})
        return same and self.value in (None, replay.value)

    def replay(self, search: Callable[..., Any]) -> "SearchRecord":
        """Return the record of a search of ours, in the order in which this one made the moves."""
        replay, (_, _, state, depth, *_) = Replay(self), self.question
        try:
            replay.value, replay.answer = search(replay, state, depth, self.question.estimate)
        except (RecursionError, LookupError, TypeError, ValueError, ArithmeticError):
            replay.answer = ENDLESS
        return replay

    def worth(self, state: State, player: str) -> float:
        """Return what a state is worth where a search stops: its utility, or the estimate.

        A utility is infinite where games are won for good.
        """
        if not self.game.terminal_test(state):
            return self.question.estimate(state, player)
        worth = self.game.utility(state, player)
        return math.copysign(math.inf, worth) if worth and self.question.for_good else worth


class Replay(SearchRecord):
    """The same question for a search of ours."""

    def __init__(self, first: SearchRecord) -> None:
        """List moves as `first` made them."""
        super().__init__(first.question)
        self.actions, self.utility = first.moves, first.worth  # type: ignore[method-assign]

    def sign(self, state: State, player: str) -> float:
        """Return 1, 0 or -1 where games are won for good; ValueError elsewhere."""
        if not self.question.for_good:
            raise ValueError("in this game a utility may be any number")
        return self.game.utility(state, player)


def mistake_behind(records: Sequence[SearchRecord], whole: bool) -> KnownMistake | None:
    """Return the first misconception that explains all searches in `records`, or None.

    `whole` says that the search must not prune.
    """
    first, *_ = searches((), whole)
    order = sorted(records, key=lambda record: (record.fits(first), len(record.generated)))
    for mistake in known_mistakes().values():
        for slip in mistake.slips:
            for search in searches(slip, whole):
                if all(record.fits(search) for record in order):
                    return mistake
    return None


@cache
def searches(slip: Edits, whole: bool) -> list[Any]:
    """Return the search with a slip, in each style in which it can be made."""
    variants = []
    for style in WHOLE if whole else STYLES:
        with contextlib.suppress(ValueError):  # this style has no place for it
            variants.append(edited(LIMITED + TOLD + style + slip))
    return variants
