"""Textbook minimax and alpha-beta in which single steps can be changed: a slip.

`Play` answers as a search with a slip does, and names the states that it generates. It runs in the
referee, on a recorded tree; nothing in this file is sent to a student's process.
"""

import contextlib
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from adversarial.games.recorded import Trace
from games import Game, Move, State

Slip: TypeAlias = Mapping[str, Any]  # the entries of `RIGHT` that a wrong search changes
Window: TypeAlias = tuple[float, float]
Children: TypeAlias = "list[tuple[Move, CachedState]]"
WIDE_OPEN: Window = (-math.inf, math.inf)
RIGHT: Slip = {
    "from": "state",  # the root: the state asked about, or the "initial" state of the game
    "for_whom": "mover",  # the player who maximises: the one to move at the root, "MAX" or "other"
    # Or MAX chooses in the root's children ("swapped") or below MAX ("max stays"); the side depends
    # on the remaining depth ("by depth") or changes with each sibling ("flips", "flips below").
    "turns": "alternate",
    "leaf": "as it is", "leaf_for": "player",
    "estimate": "as it is", "estimate_for": "player",
    "fades": 1, "costs": 0,  # factor on a leaf's value for each ply, and value lost for each ply
    "over": "told",  # end of a game: terminal_test ("told", or "to max" only), "never", "no moves"
    "tests_first": True,  # tests for the end before the depth; or "max" or "min" only does
    # How depth grows: by the moves of "both" sides, of "max" or of "min"; by 2 for one side ("max
    # twice"); by 1 for each sibling, too ("siblings" below the root, "all siblings", "siblings of
    # max"); by 1 for each cut so far ("leaks"); or it counts "states" generated below the root's
    # children, "all states", or the states "searched", and never decreases.
    "first_depth": 1, "step": 1, "counts": "both",
    "plies": math.inf, "always": None,  # depth at most, or a depth in place of the one asked for
    "stops": "both",  # only states in which "max" or "min" chooses are tested for the depth
    "limit": "or deeper",  # stops at the limit or below it, or only "exactly" at it
    # What 0 is mistaken for: "no value" (also "below" or "at" the root, "for max", "for min"), "no
    # move", "no bound", "no estimate", "no worth" of a state, or a child to skip: "nothing at all".
    "zero": "a number",
    # Where every move leads to the last child, generated again ("late") or in its place.
    "last_child_at": None, "last_child": "after others",
    "hands": "window", "opens": WIDE_OPEN,
    "asks_to_cut": "after each",  # tests for a cut after each child, or "before each"
    "renews_beta": False,  # resets a shared beta for each move at the root
    "ties": "by style",  # or takes the "last" of equal values, even if they are only bounds
    # At the root, at MAX and at MIN: the value taken, the first value compared with, the child
    # skipped, when to cut, how the window narrows, which children are generated before one is
    # searched, and whether the value that cuts counts (or the state is worth "0").
    "root_takes": "largest", "root_starts": None, "root_skips": None, "root_cuts": "never",
    "root_moves": "alpha", "root_looks": "when needed", "root_keeps": True,
    "max_takes": "largest", "max_starts": None, "max_skips": None, "max_cuts": "beta",
    "max_moves": "alpha", "max_looks": "when needed", "max_keeps": True,
    "min_takes": "smallest", "min_starts": None, "min_skips": None, "min_cuts": "alpha",
    "min_moves": "beta", "min_looks": "when needed", "min_keeps": True,
}  # fmt: skip
MOST = 250  # states generated at most; a search that generates more is endless


class Style(NamedTuple):
    """The differences between right searches."""

    last: bool = False  # take the last of equal moves, never one that is equal only by a cut
    strict: bool = False  # cut only outside the window, not at its bounds
    narrows: bool = False  # cut when alpha meets beta, not when a value meets a bound
    hard: bool = False  # fail hard: return the bound for a value that does not reach the window
    clamps: bool = False  # return the bound also for a value beyond the window
    uniform: bool = False  # search the root by the same function as other MAX states


FORMS = (False, False, False), (True, False, False), (True, True, False), (True, True, True)
STYLES = [
    Style(last, strict, *form, uniform)
    for uniform, last, form, strict in itertools.product(
        (False, True), (False, True), FORMS, (False, True)
    )
    if not last or (strict and not form[0])
]
TAKES: Mapping[str, Callable[[Sequence[float]], float]] = {
    "largest": max, "smallest": min, "mean": lambda values: sum(values) / len(values), "sum": sum,
    "first": lambda values: values[0], "last": lambda values: values[-1],
    "first good": lambda values: next((value for value in values if value > 0), max(values)),
    "middle": lambda values: sorted(values)[len(values) // 2],
}  # fmt: skip
CHANGES: Mapping[str, Callable[[float], float]] = {
    "as it is": lambda value: value,
    "size": abs,
    "whole": lambda value: int(value) if math.isfinite(value) else value,
    "rounded": lambda value: round(value) if math.isfinite(value) else value,
    "floor": lambda value: math.floor(value) if math.isfinite(value) else value,
    "nothing": lambda value: 0,
    "negated": lambda value: -value,
    "sign": lambda value: (value > 0) - (value < 0),
    "win": lambda value: max(value, 0),
    "loss": lambda value: min(value, 0),
    "no draw": lambda value: value or -1,
    "is 1": lambda value: int(value == 1),
    "is not lost": lambda value: 1 if value >= 0 else -1,
    "is 1 or lost": lambda value: 1 if value == 1 else -1,
    "is -1": lambda value: -int(value == -1),
    "is 1 or -1": lambda value: value if value in (1, -1) else 0,
    "won or lost": lambda value: math.inf if value > 0 else -math.inf,
    "won or drawn": lambda value: math.inf if value >= 0 else -math.inf,
    "any for good": lambda value: math.inf if value else 0,
    "win for good": lambda value: math.inf if value > 0 else 0,
    "loss for good": lambda value: -math.inf if value < 0 else 0,
    "for good": lambda value: math.copysign(math.inf, value) if value else 0,
    "draws estimated": lambda value: math.copysign(math.inf, value),
}
LOST: Mapping[str, Callable[[float], float]] = {  # of a utility: what the last mover has won
    "mover has lost": abs,
    "mover has lost by 1": lambda value: 1,
    "mover has lost for good": lambda value: math.inf if value else 0,
}
CUTS: Mapping[str, Callable[[float, float, float], bool]] = {  # by alpha, beta and the best value
    "never": lambda alpha, beta, best: False,
    "always": lambda alpha, beta, best: True,
    "wrong alpha": lambda alpha, beta, best: best <= alpha,
    "wrong beta": lambda alpha, beta, best: best >= beta,
    "not above beta": lambda alpha, beta, best: best <= beta,
    "not below alpha": lambda alpha, beta, best: best >= alpha,
    "above alpha": lambda alpha, beta, best: best > alpha,
    "below beta": lambda alpha, beta, best: best < beta,
    "above a known alpha": lambda alpha, beta, best: best > alpha > -math.inf,
    "below a known beta": lambda alpha, beta, best: best < beta < math.inf,
    "outside": lambda alpha, beta, best: not alpha <= best <= beta,
    "above 0": lambda alpha, beta, best: best > 0,
    "below 0": lambda alpha, beta, best: best < 0,
    "from 1": lambda alpha, beta, best: best >= 1,
    "from -1": lambda alpha, beta, best: best <= -1,
}
MOVES: Mapping[str, Callable[[float, float, float, float], Window]] = {  # also the last value
    "none": lambda alpha, beta, best, last: (alpha, beta),
    "alpha": lambda alpha, beta, best, last: (max(alpha, best), beta),
    "beta": lambda alpha, beta, best, last: (alpha, min(beta, best)),
    "minus alpha": lambda alpha, beta, best, last: (max(alpha, -best), beta),
    "both": lambda alpha, beta, best, last: (max(alpha, best), min(beta, best)),
    "alpha is best": lambda alpha, beta, best, last: (best, beta),
    "beta is best": lambda alpha, beta, best, last: (alpha, best),
    "alpha is last": lambda alpha, beta, best, last: (last, beta),
    "beta is last": lambda alpha, beta, best, last: (alpha, last),
}


class EndlessPlayError(ValueError):
    """A search generates more states than `MOST`, or looks further ahead than it should."""


class TreeQuestion(NamedTuple):
    """A tree of some kind, the state to search from, and the depth in plies.

    At a limited depth, `worth` is the estimate of a state for MAX.
    """

    kind: str
    game: Game
    state: State = ()
    depth: float = math.inf
    worth: Callable[[State], float] | None = None


class Seen(NamedTuple):
    """The answer of a search, and the states that it generates."""

    answer: Any
    generated: frozenset[State]


class CachedState:
    """A state of a question's tree; asks the game only once for each property."""

    def __init__(self, trace: Trace, state: State, worth: Callable[[State], float] | None) -> None:
        """Keep the state; its children have the order in which the `trace` generated them."""
        self.state, self._trace, self._worth = state, trace, worth
        self.is_root = False
        self.mover = trace.game.to_move(state)

    @cached_property
    def children(self) -> list[tuple[Move, "CachedState"]]:
        """Return the moves, with the nodes that they lead to."""
        made, game = self._trace.made(self.state), self._trace.game
        moves = [*made, *(move for move in game.actions(self.state) if move not in made)]
        nexts = [game.result(self.state, move) for move in moves]
        return list(
            zip(moves, [CachedState(self._trace, one, self._worth) for one in nexts], strict=True)
        )

    @property
    def listed(self) -> list[Move]:
        """Return the moves in the order of the game."""
        return list(self._trace.game.actions(self.state))

    @cached_property
    def over(self) -> bool:
        """Return whether the game is over here."""
        return self._trace.game.terminal_test(self.state)

    @cached_property
    def utility(self) -> float:
        """Return the utility of a final state for MAX."""
        return self._trace.game.utility(self.state, "MAX")

    @cached_property
    def estimate(self) -> float:
        """Return the estimate of the state for MAX; 0 without an estimate."""
        return self._worth(self.state) if self._worth else 0


class Observed:
    """A question, and the student's search of it: answer, value, generated states."""

    def __init__(
        self,
        question: TreeQuestion,
        trace: Trace,
        answer: Any,
        value: Any = None,
        endless: bool = False,
    ) -> None:
        """Keep them; `value` is the value of the root, if returned; `endless` if none ended it."""
        self.value, self.endless = value, endless
        self.question, self.trace = question, trace
        self.seen = Seen(answer, frozenset(trace.generated))
        self.root = CachedState(trace, question.state, question.worth)
        self.root.is_root = True
        self._plays: dict[tuple[Any, ...], tuple[Seen | None, float]] = {}

    def fits(self, how: Slip, style: Style, told: bool = False) -> bool:
        """Return whether a search done so, in that style, has the same answer and states.

        With `told`, the value that came with the answer must agree, too.
        """
        key = (*how.values(), style)  # in the order of `RIGHT`
        if key not in self._plays:
            play = Play(self, how, style)
            self._plays[key] = play.seen, play.value
        seen, value = self._plays[key]
        alike = seen == (None if self.endless else self.seen)
        return alike and (not told or self.value in (None, value))


class Play:
    """Minimax or alpha-beta with the changes of a slip, in one style, on one question.

    Source: Knuth and Moore 1975, "An analysis of alpha-beta pruning", for the right search.
    """

    def __init__(self, asked: Observed, how: Slip, style: Style = STYLES[0]) -> None:
        """Search; `seen` holds answer and states, or None if the search is endless."""
        self.how, self.style, root = how, style, asked.root
        if how["from"] == "initial":
            root = CachedState(asked.trace, asked.trace.initial, asked.question.worth)
        self.generated: list[State] = []
        self.mover = root.mover
        players = {"mover": self.mover, "MAX": "MAX", "other": _opponent(self.mover)}
        self.player = players[how["for_whom"]]
        self.depth = min(asked.question.depth, how["plies"])
        if how["always"] is not None:
            self.depth = how["always"]
        self.shared: Window = how["opens"]  # of slips that share one window
        self.leaked = 0
        self.climbed = -(how["counts"] == "all states")
        self.value, self.seen = math.nan, None
        with contextlib.suppress(EndlessPlayError):
            self.value, answer = self._search(root)
            self.seen = Seen(answer, frozenset(self.generated))

    def _search(self, root: CachedState) -> tuple[float, Move]:
        """Return the value of the root, and a move; no move if the limit is already reached."""
        if not self.style.uniform:
            return self._best(root, "root", self.shared, 0)
        if self.how["first_depth"] - 1 >= self.depth:
            return self._estimate(root, "max"), None
        return self._best(root, "max", self.shared, 0)

    def _value(self, node: CachedState, side: str, window: Window, depth: int) -> float:
        how = self.how
        too_far = depth + self.leaked - self.depth
        stops = too_far == 0 or (too_far > 0 and how["limit"] == "or deeper")
        stops = stops and how["stops"] in ("both", side)
        stops = stops and not (how["zero"] in ("no estimate", "no worth") and node.estimate == 0)
        told = node.over and how["over"] in ("told", f"told to {side}")
        over = not node.children if how["over"] == "no moves" else told
        if (how["tests_first"] in (True, side) or not stops) and over:
            worth = self._leaf(node, side, depth)
            if how["zero"] == "no worth":  # then the best of no moves
                worth = worth or (math.inf if side == "min" else -math.inf)
            return worth
        return self._estimate(node, side) if stops else self._best(node, side, window, depth)[0]

    def _leaf(self, node: CachedState, side: str, depth: int) -> float:
        """Return the value of a final state."""
        how = self.how
        if how["leaf"] == "estimated" or (how["leaf"] == "draws estimated" and not node.utility):
            return self._estimate(node, side)
        if how["leaf"] in LOST:
            worth = LOST[how["leaf"]](node.utility)
            return -worth if node.mover == self.player else worth
        worth = CHANGES[how["leaf"]](self._seen_by(how["leaf_for"], node, node.utility))
        late: float = how["costs"] * depth * CHANGES["sign"](worth)  # prefers early wins
        return float(worth * how["fades"] ** depth - late)

    def _best(self, node: CachedState, side: str, window: Window, depth: int) -> tuple[float, Move]:
        """Return the value of a state, and the move chosen there."""
        how = self.how
        if how["zero"] == "no bound":
            window = window[0] or -math.inf, window[1] or math.inf
        values, cut = list[float](), False
        children = self._children(node, side)
        floor, whole = self._floor(side, window), window
        best = next(iter(floor), math.inf if side == "min" else -math.inf)
        self.climbed += how["counts"] == "searched" and not node.is_root
        if how["asks_to_cut"] == "before each" and not node.is_root:
            children = [] if self._cuts(how[f"{side}_cuts"], best, window) else children
        for i in range(len(children)):
            child = self._generate(node, side, children, i)
            if node.is_root and how["renews_beta"]:
                self.shared = self.shared[0], math.inf
            handed = self._handed(side, window, values)
            steps = how["counts"] == "states" and not node.is_root
            self.climbed += steps or how["counts"] == "all states"
            below = self._side_below(node, side, depth, i), handed
            values.append(self._value(child, *below, self._down(node, side, depth, i)))
            best = self._taken(side, floor, values, children)
            window, cut = self._narrowed(side, best, values[-1], window)
            if cut:
                self.leaked += how["counts"] == "leaks"
                if how[f"{side}_keeps"] is not True:
                    best = self._forgetting(side, floor + values[:-1], whole)
                break
        if how[f"{side}_looks"] == "all first":
            self.generated += [child.state for _, child in children]
        move = self._move(side, best, values, children)
        if self.style.clamps and side != "root":
            return window[cut == (side == "max")], move
        if how["hands"] == "narrow" and self.style.hard:
            best = min(max(best, whole[0]), whole[1])
        return best, move

    def _generate(
        self, node: CachedState, side: str, children: Children, number: int
    ) -> CachedState:
        """Generate the child of this number, perhaps with the next; return the one to search."""
        more = self.how[f"{side}_looks"] == "one ahead"
        new = [child for _, child in children[number : number + 1 + more]]
        looked_at = new[0]
        if self.how["last_child_at"] in ("all", "root" if node.is_root else "below"):
            looked_at = children[-1][1]
            new = [looked_at] if self.how["last_child"] == "late" else new
        self.generated += [child.state for child in new]
        if len(self.generated) > MOST:
            raise EndlessPlayError
        return looked_at

    def _floor(self, side: str, window: Window) -> list[float]:
        """Return the number that the first value is compared with; [] for none."""
        how, start = self.how, self.how[f"{side}_starts"]
        if start is None and self.style.hard and how[f"{side}_takes"] == RIGHT[f"{side}_takes"]:
            return [] if side == "root" else [window[side == "min"]]
        return [] if start is None else [start]

    def _taken(
        self, side: str, floor: list[float], values: list[float], children: Children
    ) -> float:
        """Return the best of some values, as this side chooses it."""
        takes = self.how[f"{side}_takes"]
        if takes == "by depth":
            takes = "largest" if self.depth % 2 == 0 else "smallest"
        if self._is_zero_none(side):
            return values[self._left_standing(side, values, children)]
        if self.how["zero"] == "nothing at all":
            values = list(filter(None, values)) or [math.inf if side == "min" else -math.inf]
        return TAKES[takes](floor + values)

    def _forgetting(self, side: str, noted: list[float], window: Window) -> float:
        """Return the value of a state without the value that caused the cut."""
        keeps = self.how[f"{side}_keeps"]
        nothing = math.inf if side == "min" else -math.inf
        if keeps == "or the bound":
            nothing = window[side != "min"]
        return 0 if keeps == "0" else TAKES[self.how[f"{side}_takes"]](noted or [nothing])

    def _is_zero_none(self, side: str) -> bool:
        places = {"no value", "no move", f"no value for {side}"}
        places.add("no value at root" if side == "root" else "no value below")
        return self.how["zero"] in places

    def _left_standing(self, side: str, values: list[float], children: Children) -> int:
        """Return the index of the value chosen if 0 counts as no value, or as no move."""
        at = 0
        for i, value in enumerate(values):
            none = not (children[at][0] if self.how["zero"] == "no move" else values[at])
            if none or (value < values[at] if side == "min" else value > values[at]):
                at = i
        return at

    def _move(self, side: str, best: float, values: list[float], children: Children) -> Move | None:
        """Return the move chosen; None if no move has the best value."""
        start = self.how[f"{side}_starts"]
        if values and self._is_zero_none(side):
            return children[self._left_standing(side, values, children)][0]
        worth = self._taken(side, [], values, children) if values else math.nan
        places = [i for i, value in enumerate(values) if value == worth]
        if not places or (start is not None and best == start):
            return None
        last = self.style.last or self.how[f"{side}_takes"] == "last"
        last = last or (self.how["ties"] == "last" and not self.style.clamps)
        return children[places[-1 if last else 0]][0]

    def _down(self, node: CachedState, side: str, depth: int, number: int) -> int:
        """Return the depth that the search counts for the child of this number."""
        how = self.how
        both = how["counts"] not in ("min", "max")
        counted = both or how["counts"] == ("min" if side == "min" else "max")
        if "siblings" in how["counts"]:
            places = {"all siblings", f"siblings of {side}", "" if node.is_root else "siblings"}
            return depth + 1 + number * (how["counts"] in places)
        if how["counts"] == f"{side} twice":
            return depth + 2
        climbs = how["counts"] in ("states", "searched") and not node.is_root
        if climbs or how["counts"] == "all states":
            return int(how["first_depth"] + self.climbed)
        if node.is_root:
            return int(how["first_depth"]) - (not counted)
        return int(depth + how["step"] * counted)

    def _side_below(self, node: CachedState, side: str, depth: int, number: int) -> str:
        """Return which side chooses in the child of this number."""
        if self.how["turns"] == "max stays" and side == "max":
            return "max"
        flips = self.how["turns"] == "flips" or (
            self.how["turns"] == "flips below" and not node.is_root
        )
        if flips and number % 2:
            return "min" if side == "min" else "max"
        if self.how["turns"] == "by depth":
            return "max" if (self.depth - depth - 1) % 2 == 0 else "min"
        if self.how["turns"] == "swapped" and depth == 0:
            return "max"
        return "max" if side == "min" else "min"

    def _estimate(self, node: CachedState, side: str) -> float:
        how, change = self.how, self.how["estimate"]
        whose = how["leaf_for"] if how["estimate_for"] == "player" else how["estimate_for"]
        value = self._seen_by(whose, node, node.estimate)
        if change == "turned":
            return -value if side == "min" else value
        return CHANGES[change](value)

    def _seen_by(self, whose: str, node: CachedState, worth: float) -> float:
        """Return the value for a player of a state of this worth to MAX."""
        player = {
            "player": self.player, "other": _opponent(self.player), "root": self.mover,
            "mover": node.mover, "last": _opponent(node.mover), "MAX": "MAX",
        }[whose]  # fmt: skip
        return worth if player == "MAX" else -worth

    def _children(self, node: CachedState, side: str) -> list[tuple[Move, CachedState]]:
        skips, children = self.how[f"{side}_skips"], node.children
        if self.how["last_child_at"] is not None:
            children = sorted(children, key=lambda child: node.listed.index(child[0]))
        if skips is None or not -len(children) <= skips < len(children) or len(children) == 1:
            return children
        return [one for one in children if one is not children[skips]]

    def _handed(self, side: str, window: Window, values: Sequence[float]) -> Window:
        """Return the window passed to a child."""
        alpha, beta = window
        if self.how["hands"] == "narrow" and values:
            return (beta - 1, beta) if side == "min" else (alpha, alpha + 1)
        if self.how["hands"] == "own":  # bounds of this state only
            if side == "min":
                return -math.inf, min(values, default=math.inf)
            return max(values, default=-math.inf), math.inf
        return {
            "swapped": window if side == "root" else (beta, alpha),
            "all swapped": (beta, alpha),
            f"swapped from {side}": (beta, alpha),
            "mirrored": window if side == "root" else (-beta, -alpha),
            f"mirrored from {side}": (-beta, -alpha),
            "alpha": (alpha, math.inf),
            f"alpha from {side}": (alpha, math.inf),
            "beta": (-math.inf, beta),
            f"beta from {side}": (-math.inf, beta),
            "nothing": WIDE_OPEN,
            "nothing below": window if side == "root" else WIDE_OPEN,
            f"nothing from {side}": WIDE_OPEN,
        }.get(self.how["hands"], window)

    def _narrowed(self, side: str, best: float, last: float, window: Window) -> tuple[Window, bool]:
        """Return the window after a child, and whether the remaining children are cut."""
        hands = self.how["hands"]
        alpha = self.shared[0] if hands in ("shared", "shared alpha") else window[0]
        beta = self.shared[1] if hands in ("shared", "shared beta") else window[1]
        after = MOVES[self.how[f"{side}_moves"]](alpha, beta, best, last)
        rule = self.how[f"{side}_cuts"]
        cut = self._cuts(rule, best, after if self.style.narrows else (alpha, beta))
        if not cut or self.style.narrows:
            self.shared = after
        return after, cut

    def _cuts(self, rule: str, best: float, window: Window) -> bool:
        alpha, beta = window
        if " or " in rule:
            return any(self._cuts(one, best, window) for one in rule.split(" or "))
        if rule in ("beta", "alpha"):
            low, high = (best, beta) if rule == "beta" else (alpha, best)
            if self.style.narrows:
                low, high = alpha, beta
            return low > high or (low == high and not self.style.strict)
        return CUTS[rule](alpha, beta, best)


def _opponent(player: str) -> str:
    return "MIN" if player == "MAX" else "MAX"
