"""Rules on numpy arrays with deep copies; numpy scalars come back everywhere."""

# %% +
import copy

import numpy as np

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.shape, self.k = (h, v), k
        moves = [tuple(int(n) for n in where) for where in np.argwhere(np.ones((h, v)))]
        self.initial = GameState("X", np.int64(0), {}, moves)

    def grid(self, board):
        grid = np.zeros(self.shape, dtype=int)
        for (row, column), piece in board.items():
            grid[row, column] = 1 if piece == "X" else -1
        return grid

    def actions(self, state):
        free = np.argwhere(self.grid(state.board) == 0)
        return [(int(row), int(column)) for row, column in free]

    def result(self, state, move):
        if move not in self.actions(state):
            raise ValueError(f"{move} is taken or off the board")
        board = copy.deepcopy(state.board)
        board[move] = state.to_move
        utility = self.compute_utility(board, move, state.to_move)
        after = GameState("XO"[state.to_move == "X"], utility, board, [])
        return after._replace(moves=self.actions(after))

    def utility(self, state, player):
        return np.int64(state.utility) * (1 if player == "X" else -1)

    def terminal_test(self, state):
        return np.bool_(state.utility != 0) | np.all(self.grid(state.board) != 0)

    def display(self, state):
        for row in np.array([".", "X", "O"])[self.grid(state.board)]:
            print(*row)

    def compute_utility(self, board, move, player):
        steps = (0, 1), (1, 0), (1, 1), (1, -1)
        won = np.any([self.k_in_row(board, move, player, step) for step in steps])
        return np.where(won, 1 if player == "X" else -1, 0)[()]

    def k_in_row(self, board, move, player, delta_x_y):
        step, count = np.array(delta_x_y), 1
        for sign in (1, -1):
            place = np.array(move) + sign * step
            while board.get(tuple(map(int, place))) == player:
                count, place = count + 1, place + sign * step
        return np.greater_equal(count, self.k)

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player, moves = self.game.to_move(state), list(self.game.actions(state))
        values = np.array([self.min_value(self.game.result(state, m), player) for m in moves])
        return moves[np.argmax(values)]

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return np.float64(self.game.utility(state, player))
        return np.max([self.min_value(self.game.result(state, m), player) for m in self.game.actions(state)])

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return np.float64(self.game.utility(state, player))
        return np.min([self.max_value(self.game.result(state, m), player) for m in self.game.actions(state)])

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game, self.d = game, d
        self.cutoff_test = cutoff_test if cutoff_test is not None else self.too_deep
        self.eval_fn = eval_fn if eval_fn is not None else self.guess

    def too_deep(self, state, depth):
        return np.greater_equal(depth, self.d)

    def guess(self, state):
        return np.float32(0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player, best, answer = self.game.to_move(state), -np.inf, None
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, best, np.inf, 1)
            if answer is None or value > best:
                best, answer = np.float64(value), move
        return answer

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return np.float64(self.game.utility(state, player))
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = -np.inf
        for move in self.game.actions(state):
            value = np.maximum(value, self.min_value(self.game.result(state, move), player, alpha, beta, depth + 1))
            if value >= beta:
                break
            alpha = np.maximum(alpha, value)
        return value

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return np.float64(self.game.utility(state, player))
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = np.inf
        for move in self.game.actions(state):
            value = np.minimum(value, self.max_value(self.game.result(state, move), player, alpha, beta, depth + 1))
            if value <= alpha:
                break
            beta = np.minimum(beta, value)
        return value
