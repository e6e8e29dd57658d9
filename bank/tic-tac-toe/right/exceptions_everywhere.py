"""Exceptions steer the flow: a win, a leaf and a cut are raised, and caught where they matter."""

# %% +
class Won(Exception):
    pass


class Leaf(Exception):
    def __init__(self, value):
        self.value = value


class Cut(Exception):
    pass

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, [(r, c) for r in range(h) for c in range(v)])

    def actions(self, state):
        return list(state.moves)

    def result(self, state, move):
        moves = list(state.moves)
        try:
            moves.pop(moves.index(move))
        except ValueError:
            raise
        board = dict(state.board)
        board[move] = state.to_move
        utility = self.compute_utility(board, move, state.to_move)
        return GameState("O" if state.to_move == "X" else "X", utility, board, moves)

    def utility(self, state, player):
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state):
        try:
            1 / (1 - abs(state.utility))
            state.moves[0]
        except (ZeroDivisionError, IndexError):
            return True
        else:
            return False

    def display(self, state):
        for r in range(self.h):
            for c in range(self.v):
                try:
                    print(state.board[r, c], end=" ")
                except KeyError:
                    print(".", end=" ")
            print("")

    def compute_utility(self, board, move, player):
        try:
            for step in (0, 1), (1, 0), (1, 1), (1, -1):
                if self.k_in_row(board, move, player, step):
                    raise Won
        except Won:
            return 1 if player == "X" else -1
        return 0

    def k_in_row(self, board, move, player, delta_x_y):
        n = 1
        for sign in 1, -1:
            r, c = move
            try:
                while True:
                    r, c = r + sign * delta_x_y[0], c + sign * delta_x_y[1]
                    if board[r, c] != player:
                        raise KeyError
                    n += 1
            except KeyError:
                pass
        return n >= self.k

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def stop_at_leaf(self, state, player):
        if self.game.terminal_test(state):
            raise Leaf(self.game.utility(state, player))

    def search(self, state):
        player = self.game.to_move(state)
        moves = iter(self.game.actions(state))
        best = next(moves)
        value = self.min_value(self.game.result(state, best), player)
        while True:
            try:
                move = next(moves)
            except StopIteration:
                return best
            new = self.min_value(self.game.result(state, move), player)
            if new > value:
                best, value = move, new

    def max_value(self, state, player):
        try:
            self.stop_at_leaf(state, player)
        except Leaf as leaf:
            return leaf.value
        return max(
            self.min_value(self.game.result(state, m), player) for m in self.game.actions(state)
        )

    def min_value(self, state, player):
        try:
            self.stop_at_leaf(state, player)
        except Leaf as leaf:
            return leaf.value
        return min(
            self.max_value(self.game.result(state, m), player) for m in self.game.actions(state)
        )

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def leaf(self, state, player, depth):
        if self.game.terminal_test(state):
            raise Leaf(self.game.utility(state, player))
        if self.cutoff_test(state, depth):
            raise Leaf(self.eval_fn(state))

    def search(self, state):
        player = self.game.to_move(state)
        best, alpha = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if best is None or value > alpha:
                best, alpha = move, value
        return best

    def max_value(self, state, player, alpha, beta, depth):
        value = -infinity
        try:
            self.leaf(state, player, depth)
            for move in self.game.actions(state):
                child = self.game.result(state, move)
                value = max(value, self.min_value(child, player, alpha, beta, depth + 1))
                if value >= beta:
                    raise Cut
                alpha = max(alpha, value)
        except Leaf as leaf:
            return leaf.value
        except Cut:
            pass
        return value

    def min_value(self, state, player, alpha, beta, depth):
        value = infinity
        try:
            self.leaf(state, player, depth)
            for move in self.game.actions(state):
                child = self.game.result(state, move)
                value = min(value, self.max_value(child, player, alpha, beta, depth + 1))
                if value <= alpha:
                    raise Cut
                beta = min(beta, value)
        except Leaf as leaf:
            return leaf.value
        except Cut:
            pass
        return value
