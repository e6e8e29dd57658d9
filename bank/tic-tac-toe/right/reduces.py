"""Functional: reduce, partial, lambdas, lazy generators and takewhile."""

# %% +
from functools import partial, reduce
from itertools import accumulate, chain, takewhile

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.k = k
        self.initial = GameState("X", 0, {}, [divmod(n, v) for n in range(h * v)])

    actions = lambda self, state: (move for move in state.moves)
    utility = lambda self, state, player: {"X": 1, "O": -1}[player] * state.utility
    terminal_test = lambda self, state: bool(state.utility) or state.moves == []

    def result(self, state, move):
        if move not in state.moves:
            raise IllegalMove(str(move))
        board = dict(chain(state.board.items(), [(move, state.to_move)]))
        return GameState(
            {"X": "O", "O": "X"}[state.to_move],
            self.compute_utility(board, move, state.to_move),
            board,
            list(filter(lambda other: other != move, state.moves)),
        )

    def display(self, state):
        size = max(state.board | dict.fromkeys(state.moves))
        for row in range(size[0] + 1):
            print(*map(lambda column: state.board.get((row, column), "."), range(size[1] + 1)))

    def compute_utility(self, board, move, player):
        lines = map(partial(self.k_in_row, board, move, player), [(0, 1), (1, 0), (1, 1), (-1, 1)])
        return {"X": 1, "O": -1}[player] if any(lines) else 0

    def k_in_row(self, board, move, player, delta_x_y):
        def reach(sign):
            places = accumulate(
                range(max(len(board), 1)), lambda place, _: (place[0] + sign * delta_x_y[0], place[1] + sign * delta_x_y[1]), initial=move
            )
            return sum(1 for _ in takewhile(lambda place: board.get(place) == player, places))

        return reach(1) + reach(-1) - 1 >= self.k

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def children(self, state):
        return ((move, self.game.result(state, move)) for move in self.game.actions(state))

    def search(self, state):
        who = self.game.to_move(state)
        pairs = ((self.min_value(child, who), move) for move, child in self.children(state))
        return reduce(lambda best, new: new if new[0] > best[0] else best, pairs)[1]

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return reduce(max, (self.min_value(child, player) for _, child in self.children(state)))

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return reduce(min, (self.max_value(child, player) for _, child in self.children(state)))

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.stop = cutoff_test or (lambda state, depth: not depth < d)
        self.guess = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        who = self.game.to_move(state)

        def step(best, move):
            value = self.min_value(self.game.result(state, move), who, best[0], infinity, 1)
            return (value, move) if best[1] is None or value > best[0] else best

        return reduce(step, self.game.actions(state), (-infinity, None))[1]

    def leaf(self, state, player, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return self.guess(state) if self.stop(state, depth) else None

    def max_value(self, state, player, alpha, beta, depth):
        value = self.leaf(state, player, depth)
        if value is not None:
            return value
        best = -infinity
        for move in takewhile(lambda _: best < beta, self.game.actions(state)):
            child = self.game.result(state, move)
            best = max(best, self.min_value(child, player, max(alpha, best), beta, depth + 1))
        return best

    def min_value(self, state, player, alpha, beta, depth):
        value = self.leaf(state, player, depth)
        if value is not None:
            return value
        best = infinity
        for move in takewhile(lambda _: best > alpha, self.game.actions(state)):
            child = self.game.result(state, move)
            best = min(best, self.max_value(child, player, alpha, min(beta, best), depth + 1))
        return best
