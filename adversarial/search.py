"""Alpha-beta as text, and edits of it: a search with a mistake is the text with some replaced."""

import functools
import math
import re
from typing import Any

SEARCH = """
def alpha_beta_search(game, state):
    player = game.to_move(state)
    alpha, beta = -infinity, infinity

    def max_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        best = -infinity
        for move in game.actions(state):
            best = max(best, min_value(game.result(state, move), alpha, beta))
            if best >= beta:
                return best
            alpha = max(alpha, best)
        return best

    def min_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        worst = infinity
        for move in game.actions(state):
            worst = min(worst, max_value(game.result(state, move), alpha, beta))
            if worst <= alpha:
                return worst
            beta = min(beta, worst)
        return worst

    best_move, most = None, -infinity
    for move in game.actions(state):
        value = min_value(game.result(state, move), alpha, beta)
        if best_move is None or value > most:
            best_move, most = move, value
        alpha = max(alpha, most)
    return best_move
"""  # Source: Russell and Norvig, Artificial Intelligence: A Modern Approach
PARTS = "", "max_value", "min_value", "root"  # of the text
Edits = tuple[tuple[str, str], ...]  # what stands in the text, and what takes its place
BELOW = "game.result(state, move), alpha, beta"
# The search looks `limit` plies ahead, and asks `estimate(state, player)` for the value of a state
# there in which the game is not over; without a limit it goes to the end.
LIMITED: Edits = (
    ("search(game, state)", "search(game, state, limit=infinity, estimate=None)"),
    ("_value(state, alpha, beta)", "_value(state, alpha, beta, depth)"),
    (
        "return game.utility(state, player)\n",
        "return game.utility(state, player)\n        if depth >= limit:\n"
        "            return estimate(state, player)\n",
    ),
    (f"value = min_value({BELOW})", f"value = min_value({BELOW}, 1)"),
    (
        f"best = max(best, min_value({BELOW}))",
        f"value = min_value({BELOW}, depth + 1)\n            best = max(best, value)",
    ),
    (
        f"worst = min(worst, max_value({BELOW}))",
        f"value = max_value({BELOW}, depth + 1)\n            worst = min(worst, value)",
    ),
)


def _shared_bounds(parameters: str, names: str) -> Edits:
    """Return the edits by which both functions use the root's alpha or beta, or both."""
    heads = [f"def {side}_value(state, alpha, beta):\n" for side in ("max", "min")]
    line = f"        nonlocal {names}\n"
    return tuple((one, one.replace("alpha, beta", parameters) + line) for one in heads)


ONE_ALPHA = _shared_bounds("_, beta", "alpha")
ONE_BETA = _shared_bounds("alpha, _", "beta")
ONE_WINDOW = _shared_bounds("*_", "alpha, beta")


def search_text(edits: Edits = ()) -> str:
    """Return the text of the search after the edits, one by one.

    An edit changes all places in which the old text stands, or those in one part of the search if
    its name is put before, as in "max_value: best"; ValueError if there are none.
    """
    text = SEARCH
    for edit, new in edits:
        part, _, old = edit.rpartition(": ")
        parts = re.split(r"(?m)^(?=    def |    best_move,)", text)
        texts = dict(zip(PARTS, parts, strict=True)) if part else {"": text}
        if old not in texts[part]:
            raise ValueError(f"{edit!r} does not stand in this search:\n{text}")
        texts[part] = texts[part].replace(old, new)
        text = "".join(texts.values())
    return text


def edits_of(text: str) -> Edits:
    """Return the edits that a table of mistakes writes as "old -> new | old -> new"."""
    pairs = [one.split(" -> ") for one in text.split(" | ")]
    return tuple((old, new) for old, new in pairs)


@functools.cache
def edited(edits: Edits) -> Any:
    """Return the search as a function of a game and a state, after the edits; see `search_text`."""
    names: dict[str, Any] = {"infinity": math.inf}
    exec(search_text(edits), names)  # noqa: S102 - the text above
    return names["alpha_beta_search"]
