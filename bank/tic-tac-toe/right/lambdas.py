"""As few statements as possible: lambdas, reduce, partial, conditional expressions."""

# %% +
from functools import partial, reduce
from operator import itemgetter, methodcaller

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, [(n // v, n % v) for n in range(h * v)])

    actions = lambda self, state: [*filter(lambda s: s not in state.board, self.initial.moves)]

    def result(self, state, move):
        if move not in self.actions(state):
            raise ValueError(move)
        board = dict([*state.board.items(), (move, state.to_move)])
        return GameState(
            "XO".replace(state.to_move, ""),
            self.compute_utility(board, move, state.to_move),
            board,
            [square for square in self.actions(state) if square != move],
        )

    utility = lambda self, state, player: state.utility * (-1) ** (player == "O")
    terminal_test = lambda self, state: state.utility != 0 or not any(True for _ in self.actions(state))
    display = lambda self, state: [
        print(*map(lambda column: state.board.get((row, column), "."), range(self.v)))
        for row in range(self.h)
    ] and None
    compute_utility = lambda self, board, move, player: (
        any(map(partial(self.k_in_row, board, move, player), [(0, 1), (1, 0), (1, 1), (1, -1)]))
        and (1 if player == "X" else -1)
    ) or 0

    def k_in_row(self, board, move, player, delta_x_y):
        far = lambda sign, n: tuple(m + sign * n * d for m, d in zip(move, delta_x_y))
        run = lambda sign, n=1: 0 if board.get(far(sign, n)) != player else 1 + run(sign, n + 1)
        return 1 + run(1) + run(-1) >= self.k


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    __call__ = lambda self, game, state: MiniMax(game).search(state)
    _children = lambda self, state: map(partial(self.game.result, state), self.game.actions(state))
    max_value = lambda self, state, player: (
        self.game.utility(state, player)
        if self.game.terminal_test(state)
        else reduce(max, map(lambda child: self.min_value(child, player), self._children(state)))
    )
    min_value = lambda self, state, player: (
        self.game.utility(state, player)
        if self.game.terminal_test(state)
        else reduce(min, map(lambda child: self.max_value(child, player), self._children(state)))
    )
    search = lambda self, state: (
        lambda player: max(
            [
                (self.min_value(self.game.result(state, move), player), move)
                for move in self.game.actions(state)
            ],
            key=itemgetter(0),
        )
    )(self.game.to_move(state))[1]


# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda _, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda _: 0)

    __call__ = lambda self, game, state: (setattr(self, "game", game), self.search(state))[1]

    def search(self, state):
        player = methodcaller("to_move", state)(self.game)
        better = lambda best, move: max(
            best,
            (self.min_value(self.game.result(state, move), player, best[0], infinity, 1), move),
            key=itemgetter(0),
        )
        first, *rest = self.game.actions(state)
        start = self.min_value(self.game.result(state, first), player, -infinity, infinity, 1)
        return reduce(better, rest, (start, first))[1]

    def _leaf(self, state, player, depth):
        return (
            self.game.utility(state, player)
            if self.game.terminal_test(state)
            else self.eval_fn(state) if self.cutoff_test(state, depth) else None
        )

    def max_value(self, state, player, alpha, beta, depth):
        leaf = self._leaf(state, player, depth)
        if leaf is not None:
            return leaf
        step = lambda value, move: (
            value
            if value >= beta
            else max(
                value,
                self.min_value(
                    self.game.result(state, move), player, max(alpha, value), beta, depth + 1
                ),
            )
        )
        return reduce(step, self.game.actions(state), -infinity)

    def min_value(self, state, player, alpha, beta, depth):
        leaf = self._leaf(state, player, depth)
        if leaf is not None:
            return leaf
        step = lambda value, move: (
            value
            if value <= alpha
            else min(
                value,
                self.max_value(
                    self.game.result(state, move), player, alpha, min(beta, value), depth + 1
                ),
            )
        )
        return reduce(step, self.game.actions(state), infinity)
