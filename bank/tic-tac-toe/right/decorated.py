"""Decorators count the calls and answer in final states; a context manager holds the game."""

# %% +
import functools
import inspect
from contextlib import contextmanager

calls = {}


def counted(method):
    @functools.wraps(method)
    def wrapper(*args, **kwargs):
        calls[method.__qualname__] = calls.get(method.__qualname__, 0) + 1
        return method(*args, **kwargs)

    return wrapper


def leaves_first(method):
    """Answer in final states, so that the method itself never sees one."""

    @functools.wraps(method)
    def wrapper(self, state, player, *rest):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if rest and self.cutoff_test(state, rest[-1]):
            return self.eval_fn(state)
        return method(self, state, player, *rest)

    return wrapper


def all_counted(cls):
    for name, member in list(vars(cls).items()):
        if inspect.isfunction(member) and not name.startswith("__"):
            setattr(cls, name, counted(member))
    return cls


# %% MiniMax
@all_counted
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    @contextmanager
    def playing(self, game):
        self.game = game
        yield self

    def __call__(self, game, state):
        with self.playing(game) as thinker:
            return thinker.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        values = [
            (self.min_value(self.game.result(state, move), player), number, move)
            for number, move in enumerate(self.game.actions(state))
        ]
        return max(values)[2]

    @leaves_first
    def max_value(self, state, player):
        return max(
            self.min_value(self.game.result(state, move), player)
            for move in self.game.actions(state)
        )

    @leaves_first
    def min_value(self, state, player):
        return min(
            self.max_value(self.game.result(state, move), player)
            for move in self.game.actions(state)
        )


# %% AlphaBeta
@all_counted
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or functools.partial(self.at_least, d)
        self.eval_fn = eval_fn or functools.partial(lambda zero, state: zero, 0)

    @staticmethod
    def at_least(d, state, depth):
        return depth >= d

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        best, alpha = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if best is None or value > alpha:
                best, alpha = move, value
        return best

    @leaves_first
    def max_value(self, state, player, alpha, beta, depth):
        value = -infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = max(value, self.min_value(child, player, alpha, beta, depth + 1))
            if (alpha := max(alpha, value)) >= beta:
                break
        return value

    @leaves_first
    def min_value(self, state, player, alpha, beta, depth):
        value = infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = min(value, self.max_value(child, player, alpha, beta, depth + 1))
            if alpha >= (beta := min(beta, value)):
                break
        return value
