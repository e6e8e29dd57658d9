"""A partial and an object that is called in the place of functions; a pair that is a list."""

# %% +
from functools import partial
from operator import itemgetter


def look_ahead(choose, refute, game, state, depth, evaluate, *, whom=None):
    """Return [value, move]; `choose` and `refute` are called with pairs and a key."""
    whom = whom or game.to_move(state)
    if game.terminal_test(state):
        utility = game.utility(state, whom)
        return [utility and utility * infinity, None]
    if not depth:
        return [evaluate(state, whom), None]

    def pairs():
        for move in game.actions(state):
            child = game.result(state, move)
            value, _ = look_ahead(refute, choose, game, child, depth - 1, evaluate, whom=whom)
            yield [value, move]

    return choose(pairs(), key=itemgetter(0))

# %% minimax
minimax = partial(look_ahead, max, min)

# %% +
from dataclasses import dataclass
from typing import Any


@dataclass
class Searcher:
    """What one search needs at all depths."""

    game: Any
    evaluate: Any
    player: str

    def at_the_end(self, state, depth):
        if self.game.terminal_test(state):
            return {1: infinity, 0: 0, -1: -infinity}[self.game.utility(state, self.player)]
        return self.evaluate(state, self.player) if depth == 0 else None

    def best(self, state, depth, alpha, beta, mine=True):
        value = self.at_the_end(state, depth)
        if value is not None:
            return value, None
        choice = None
        for move in self.game.actions(state):
            found, _ = self.best(self.game.result(state, move), depth - 1, alpha, beta, not mine)
            if choice is None or (found > value) == mine and found != value:
                value, choice = found, move
            if mine:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if beta <= alpha:
                break
        return value, choice


class AlphaBetaSearch:
    def __call__(self, game, state, depth, evaluate):
        return Searcher(game, evaluate, game.to_move(state)).best(state, depth, -infinity, infinity)

# %% alphabeta
alphabeta = AlphaBetaSearch()
