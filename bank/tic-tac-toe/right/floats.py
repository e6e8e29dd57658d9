"""Utilities are 1.0, -1.0 and 0.0, and a million stands for infinity."""

# %% +
import math

HUGE = 1e6

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        moves = []
        for row in range(h):
            moves += [(row, column) for column in range(v)]
        self.initial = GameState("X", 0.0, {}, moves)

    def actions(self, state):
        return state.moves[:]

    def result(self, state, move):
        if move not in state.moves:
            raise ValueError(f"illegal: {move}")
        board = state.board.copy()
        board[move] = state.to_move
        moves = state.moves[:]
        moves.remove(move)
        utility = self.compute_utility(board, move, state.to_move)
        if state.to_move == "X":
            return GameState("O", utility, board, moves)
        return GameState("X", utility, board, moves)

    def utility(self, state, player):
        return float(state.utility if player == "X" else -state.utility)

    def terminal_test(self, state):
        return not math.isclose(state.utility, 0.0) or len(state.moves) < 1

    def display(self, state):
        for row in range(self.h):
            for column in range(self.v):
                print(state.board.get((row, column), "."), end=" ")
            print()

    def compute_utility(self, board, move, player):
        steps = (0, 1), (1, 0), (1, 1), (1, -1)
        won = sum(self.k_in_row(board, move, player, step) for step in steps)
        return math.copysign(min(won, 1), 1 if player == "X" else -1)

    def k_in_row(self, board, move, player, delta_x_y):
        r, c = move
        dr, dc = delta_x_y
        n = 0.0
        while board.get((r, c)) == player:
            n += 1
            r, c = r + dr, c + dc
        r, c = move[0] - dr, move[1] - dc
        while board.get((r, c)) == player:
            n += 1
            r, c = r - dr, c - dc
        return n >= self.k

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        best_score = -HUGE
        for move in self.game.actions(state):
            score = self.min_value(self.game.result(state, move), player)
            if score > best_score:
                best_score = score
                best_move = move
        return best_move

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return 1.0 * self.game.utility(state, player)
        best_score = -HUGE
        for move in self.game.actions(state):
            score = self.min_value(self.game.result(state, move), player)
            if score > best_score:
                best_score = score
        return best_score

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return 1.0 * self.game.utility(state, player)
        best_score = HUGE
        for move in self.game.actions(state):
            score = self.max_value(self.game.result(state, move), player)
            if score < best_score:
                best_score = score
        return best_score

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0.0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        alpha, best_move = -10**9, None
        for move in self.game.actions(state):
            score = self.min_value(self.game.result(state, move), player, alpha, 10**9, 1)
            if score > alpha:
                alpha, best_move = score, move
        return best_move

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return float(self.game.utility(state, player))
        if self.cutoff_test(state, depth):
            return float(self.eval_fn(state))
        score = -math.inf
        for move in self.game.actions(state):
            score = max(
                score, self.min_value(self.game.result(state, move), player, alpha, beta, depth + 1)
            )
            if score >= beta:
                return score
            if score > alpha:
                alpha = score
        return score

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return float(self.game.utility(state, player))
        if self.cutoff_test(state, depth):
            return float(self.eval_fn(state))
        score = math.inf
        for move in self.game.actions(state):
            score = min(
                score, self.max_value(self.game.result(state, move), player, alpha, beta, depth + 1)
            )
            if score <= alpha:
                return score
            if score < beta:
                beta = score
        return score
