"""Solution cells begin with %%time, other cells use magics, and imports stand wherever needed."""

# %% +
%config InlineBackend.figure_format = "retina"
from math import inf as INF

# %% +
%%capture out
print("nobody will see this")

# %% MiniMax
%%time
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        import operator

        player = self.game.to_move(state)
        pairs = [
            (move, self.min_value(self.game.result(state, move), player))
            for move in self.game.actions(state)
        ]
        return max(pairs, key=operator.itemgetter(1))[0]

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        value = -INF
        for move in self.game.actions(state):
            value = max(value, self.min_value(self.game.result(state, move), player))
        return value

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        value = INF
        for move in self.game.actions(state):
            value = min(value, self.max_value(self.game.result(state, move), player))
        return value

# %% +
%time MiniMax()(Fig52Game(), "A")

# %% +
%timeit -n 1 -r 1 MiniMax()(Fig52Game(), "A")

# %% +
AlphaBeta?

# %% AlphaBeta
%%time
import math as m

class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player, best, alpha = self.game.to_move(state), None, -m.inf
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, alpha, m.inf, 1)
            if best is None or value > alpha:
                best, alpha = move, value
        return best

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = -m.inf
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = max(value, self.min_value(child, player, alpha, beta, depth + 1))
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return value

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = m.inf
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = min(value, self.max_value(child, player, alpha, beta, depth + 1))
            if value <= alpha:
                return value
            beta = min(beta, value)
        return value

# %% playing
%%time
start = after(TicTacToe(), [(0, 0), (1, 1)])
results = {
    ("random", "AlphaBeta"): TicTacToe().play_game(random_player, AlphaBeta(9), initial=start),
    ("AlphaBeta", "random"): TicTacToe().play_game(AlphaBeta(9), random_player, initial=start),
    ("MiniMax", "AlphaBeta"): TicTacToe().play_game(MiniMax(), AlphaBeta(9), initial=start),
    ("AlphaBeta", "MiniMax"): TicTacToe().play_game(AlphaBeta(9), MiniMax(), initial=start),
}
