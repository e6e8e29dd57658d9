"""The program of the textbook, as short as it is read, and without types."""

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, [(r, c) for r in range(h) for c in range(v)])

    def actions(self, state):
        return list(state.moves)

    def result(self, state, move):
        if move not in state.moves:
            raise ValueError("illegal move")
        board = dict(state.board)
        board[move] = state.to_move
        moves = list(state.moves)
        moves.remove(move)
        other = "O" if state.to_move == "X" else "X"
        return GameState(other, self.compute_utility(board, move, state.to_move), board, moves)

    def utility(self, state, player):
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state):
        return state.utility != 0 or len(state.moves) == 0

    def display(self, state):
        for r in range(self.h):
            print(*[state.board.get((r, c), ".") for c in range(self.v)])

    def compute_utility(self, board, move, player):
        for step in (0, 1), (1, 0), (1, 1), (1, -1):
            if self.k_in_row(board, move, player, step):
                return 1 if player == "X" else -1
        return 0

    def k_in_row(self, board, move, player, delta_x_y):
        n = -1
        for sign in (1, -1):
            (r, c), (dr, dc) = move, delta_x_y
            while board.get((r, c)) == player:
                n += 1
                r, c = r + sign * dr, c + sign * dc
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
        best_move, best = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player)
            if best_move is None or value > best:
                best_move, best = move, value
        return best_move

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        value = -infinity
        for move in self.game.actions(state):
            value = max(value, self.min_value(self.game.result(state, move), player))
        return value

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        value = infinity
        for move in self.game.actions(state):
            value = min(value, self.max_value(self.game.result(state, move), player))
        return value

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        best_move, alpha = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if best_move is None or value > alpha:
                best_move, alpha = move, value
        return best_move

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = -infinity
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
        value = infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = min(value, self.max_value(child, player, alpha, beta, depth + 1))
            if value <= alpha:
                return value
            beta = min(beta, value)
        return value
