"""Any of the best moves, drawn by a seeded generator; the moves are shuffled before the search."""

# %% +
import random

dice = random.Random(20)


def shuffled(moves):
    moves = list(moves)
    dice.shuffle(moves)
    return moves

# %% TicTacToe
class TicTacToe(Game):
    """Lists its moves in no order at all."""

    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        everywhere = [divmod(number, v) for number in range(h * v)]
        self.initial = GameState("X", 0, {}, shuffled(everywhere))

    def actions(self, state):
        return shuffled(state.moves)

    def result(self, state, move):
        moves = list(state.moves)
        moves.remove(move)  # raises ValueError by itself
        board = state.board.copy()
        board[move] = state.to_move
        utility = self.compute_utility(board, move, state.to_move)
        return GameState("XO"[state.to_move == "X"], utility, board, shuffled(moves))

    def utility(self, state, player):
        return {"X": 1, "O": -1}[player] * state.utility

    def terminal_test(self, state):
        return len(state.moves) == 0 or abs(state.utility) == 1

    def display(self, state):
        for row in range(self.h):
            print(" ".join([state.board.get((row, col), ".") for col in range(self.v)]))

    def compute_utility(self, board, move, player):
        for delta in shuffled([(0, 1), (1, 0), (1, 1), (1, -1)]):
            if self.k_in_row(board, move, player, delta):
                return +1 if player == "X" else -1
        return 0

    def k_in_row(self, board, move, player, delta_x_y):
        dx, dy = delta_x_y
        x, y = move
        n = 0
        while board.get((x, y)) == player:
            n += 1
            x, y = x + dx, y + dy
        x, y = move
        while board.get((x, y)) == player:
            n += 1
            x, y = x - dx, y - dy
        n -= 1  # the move itself was counted twice
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
        scored = []
        for move in shuffled(self.game.actions(state)):
            scored.append((move, self.min_value(self.game.result(state, move), player)))
        highest = max(score for _, score in scored)
        return dice.choice([move for move, score in scored if score == highest])

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        moves = shuffled(self.game.actions(state))
        return max(self.min_value(self.game.result(state, move), player) for move in moves)

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        moves = shuffled(self.game.actions(state))
        return min(self.max_value(self.game.result(state, move), player) for move in moves)

# %% AlphaBeta
class AlphaBeta(Player):
    """Cuts on strict inequality only, so that equal values at the root are exact."""

    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: dice.random() / 2)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        alpha, best = -infinity, []
        for move in shuffled(self.game.actions(state)):
            score = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if score > alpha:
                alpha, best = score, []
            if score == alpha:
                best.append(move)
        return dice.choice(best)

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        score = -infinity
        for move in shuffled(self.game.actions(state)):
            child = self.game.result(state, move)
            score = max(score, self.min_value(child, player, max(alpha, score), beta, depth + 1))
            if score > beta:
                return score
        return score

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        score = infinity
        for move in shuffled(self.game.actions(state)):
            child = self.game.result(state, move)
            score = min(score, self.max_value(child, player, alpha, min(beta, score), depth + 1))
            if score < alpha:
                return score
        return score
