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

from adversarial.diagnosis.questions import TreeQuestion, sign
from adversarial.games.recorded import Trace
from adversarial.search import LIMITED, Edits, edited, edits_of, search_text
from games import Game, Move, State

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
def known() -> dict[str, KnownMistake]:
    """Return the misconceptions by their names, in the order in which they are tried."""
    found = {}
    for name, texts in tomllib.loads(TEXTS.read_text("utf-8")).items():
        words = {"try": FIGURE} | texts
        slips = list[Edits]()
        for number in words.pop("numbers", [0]):
            edits = {key: _edits(words.get(key, []), key, str(number)) for key in FORMS}
            slips += edits["slips"] + edits["utility"] + edits["estimate"]
            for one in edits["either"]:
                slips += [one, mirrored(one), one + mirrored(one)]
        found[name] = KnownMistake(name, words, slips)
    return found


def _edits(texts: Sequence[str], key: str, number: str) -> list[Edits]:
    """Return the edits of each slip under a key of the table, with a number in place of #."""
    return [edits_of(FORMS[key].format(text.replace("#", number))) for text in texts]


def mirrored(edits: Edits) -> Edits:
    """Return the edits of `min_value` that are to MIN what these of `max_value` are to MAX."""

    def turned(text: str) -> str:
        text = MIRRORED.sub(lambda found: MIRROR[found[0]], text)
        return re.sub(r"(state|\)), ([^,]+), ([^,]+), depth", r"\1, \3, \2, depth", text)

    return tuple((turned(old), turned(new)) for old, new in edits)


class Observed(Game):
    """A question, and a student's search of it; as a game, its tree for a search of ours.

    The moves have the order in which the student's search made them.
    """

    def __init__(
        self, question: TreeQuestion, trace: Trace, answer: Any, value: Any = None
    ) -> None:
        """Keep them; `value` is the value of the root, if returned, `answer` ENDLESS if none is."""
        self.question, self.trace, self.answer, self.value = question, trace, answer, value
        self.initial = question.game.initial
        self.mover = question.game.to_move(question.state)
        self._moves: dict[State, list[Move]] = {}
        self._generated: set[State] = set()

    def fits(self, search: Callable[..., Any]) -> bool:
        """Return whether a search of ours does the same: answer, value and generated states."""
        move, value, generated = self.played(search)
        if ENDLESS in (move, self.answer):
            return bool(move == self.answer)
        same = (move, generated) == (self.answer, {*self.trace.generated})
        return same and self.value in (None, value)

    def played(self, search: Callable[..., Any]) -> tuple[Any, Any, set[State]]:
        """Return what a search of ours answers, its value, and what it generates.

        The answer is ENDLESS if it never ends, or breaks down.
        """
        self._generated = set()
        try:
            value, move = search(self, self.question.state, self.question.depth, self.estimate)
        except (RecursionError, LookupError, TypeError, ValueError, ArithmeticError):
            return ENDLESS, None, set()
        return move, value, self._generated

    def worth(self, state: State, player: str) -> float:
        """Return what a state is worth where the search stops: its utility, or the estimate."""
        return (self.utility if self.terminal_test(state) else self.estimate)(state, player)

    def estimate(self, state: State, player: str) -> float:
        """Return the estimate; one that is told no player is for who began the search."""
        worth = self.question.worth(state) if self.question.worth else 0
        return worth * sign(player if self.question.for_good else self.mover)

    def actions(self, state: State) -> list[Move]:
        """Return the moves, those first that the student's search has made."""
        if state not in self._moves:
            made, moves = self.trace.made(state), self.question.game.actions(state)
            self._moves[state] = [*made, *(move for move in moves if move not in made)]
        return self._moves[state]

    def result(self, state: State, move: Move) -> State:
        """Return the state after a move, and note it."""
        following = self.question.game.result(state, move)
        self._generated.add(following)
        return following

    def terminal_test(self, state: State) -> bool:
        """Return whether the game is over."""
        return self.question.game.terminal_test(state)

    def to_move(self, state: State) -> Any:
        """Return the player whose turn it is."""
        return self.question.game.to_move(state)

    def utility(self, state: State, player: str) -> float:
        """Return the utility of a final state, infinite where games are won for good."""
        worth = self.question.game.utility(state, player)
        return math.copysign(math.inf, worth) if worth and self.question.for_good else worth

    def sign(self, state: State, player: str) -> float:
        """Return 1, 0 or -1 where games are won for good; ValueError elsewhere."""
        if not self.question.for_good:
            raise ValueError("in this game a utility may be any number")
        return self.question.game.utility(state, player)


def explaining(asked: Sequence[Observed], whole: bool) -> KnownMistake | None:
    """Return the first misconception that explains all searches in `asked`, or None.

    `whole` says that the search must not prune.
    """
    first, *_ = searches((), whole)
    order = sorted(asked, key=lambda one: (one.fits(first), len(one.trace.generated)))
    for known_one in known().values():
        for slip in known_one.slips:
            for search in searches(slip, whole):
                if all(one.fits(search) for one in order):
                    return known_one
    return None


@cache
def searches(slip: Edits, whole: bool) -> list[Any]:
    """Return the search with a slip, in each style in which it can be made."""
    found = []
    for style in WHOLE if whole else STYLES:
        with contextlib.suppress(ValueError):  # this style has no place for it
            found.append(edited(LIMITED + TOLD + style + slip))
    return found
