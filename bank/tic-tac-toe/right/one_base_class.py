"""AlphaBeta is a MiniMax, both are a Searcher, and a mixin brings the default evaluation."""

# %% +
from abc import abstractmethod


class Searcher(Player):
    """What both searches share: the root."""

    def __init__(self, game=None):
        super().__init__()
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    @abstractmethod
    def worth(self, state, move, player, floor):
        """Return the value of a move at the root; exact if above the floor."""

    def search(self, state):
        player = self.game.to_move(state)
        best, floor = None, -infinity
        for move in self.game.actions(state):
            value = self.worth(state, move, player, floor)
            if best is None or value > floor:
                best, floor = move, value
        return best

    def final(self, state, player):
        return self.game.utility(state, player) if self.game.terminal_test(state) else None


class CountsLines:
    """A default evaluation for boards: pieces near the middle; 0 for other games."""

    def estimate(self, state):
        if not isinstance(state, GameState):
            return 0
        return 0.001 * len(state.board)


class Limited:
    def limit(self, state, depth):
        return depth >= self.d

# %% MiniMax
class MiniMax(Searcher):
    def worth(self, state, move, player, floor):
        return self.min_value(self.game.result(state, move), player)

    def max_value(self, state, player):
        value = self.final(state, player)
        if value is None:
            value = max(self.worth(state, m, player, None) for m in self.game.actions(state))
        return value

    def min_value(self, state, player):
        value = self.final(state, player)
        if value is None:
            children = (self.game.result(state, move) for move in self.game.actions(state))
            value = min(self.max_value(child, player) for child in children)
        return value

# %% AlphaBeta
class AlphaBeta(CountsLines, Limited, MiniMax):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        super().__init__(game)
        self.d = d
        self.cutoff_test = cutoff_test or super().limit
        self.eval_fn = eval_fn or self.estimate

    def worth(self, state, move, player, floor):
        return self.min_value(self.game.result(state, move), player, floor, infinity, 1)

    def final(self, state, player, depth=0):
        value = super().final(state, player)
        if value is None and self.cutoff_test(state, depth):
            value = self.eval_fn(state)
        return value

    def max_value(self, state, player, alpha, beta, depth):
        value = self.final(state, player, depth)
        if value is not None:
            return value
        value = -infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = max(value, self.min_value(child, player, max(alpha, value), beta, depth + 1))
            if value >= beta:
                break
        return value

    def min_value(self, state, player, alpha, beta, depth):
        value = self.final(state, player, depth)
        if value is not None:
            return value
        value = infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = min(value, self.max_value(child, player, alpha, min(beta, value), depth + 1))
            if value <= alpha:
                break
        return value
