"""One function for both levels; max_value and min_value only call it."""

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        squares = [(row, column) for row in range(h) for column in range(v)]
        self.initial = GameState("X", 0, {}, squares)

    def actions(self, state):
        return list(state.moves)

    def result(self, state, move):
        if move not in state.moves:
            raise IllegalMove(move)
        board = {**state.board, move: state.to_move}
        return GameState(
            "O" if state.to_move == "X" else "X",
            self.compute_utility(board, move, state.to_move),
            board,
            [square for square in state.moves if square != move],
        )

    def utility(self, state, player):
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state):
        return state.utility != 0 or not state.moves

    def display(self, state):
        for row in range(self.h):
            print(*(state.board.get((row, column), ".") for column in range(self.v)))

    def compute_utility(self, board, move, player):
        for step in (0, 1), (1, 0), (1, 1), (1, -1):
            if self.k_in_row(board, move, player, step):
                return 1 if player == "X" else -1
        return 0

    def k_in_row(self, board, move, player, delta_x_y):
        (down, right), length = delta_x_y, 1
        for sign in 1, -1:
            row, column = move[0] + sign * down, move[1] + sign * right
            while board.get((row, column)) == player:
                length, row, column = length + 1, row + sign * down, column + sign * right
        return length >= self.k

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def minimax(self, state, player, maximizing):
        """Both levels in one function."""
        g = self.game
        if g.terminal_test(state):
            return g.utility(state, player)
        values = [self.minimax(g.result(state, a), player, not maximizing) for a in g.actions(state)]
        return max(values) if maximizing else min(values)

    def max_value(self, state, player):
        return self.minimax(state, player, True)

    def min_value(self, state, player):
        return self.minimax(state, player, False)

    def search(self, state):
        player = self.game.to_move(state)
        values = {}
        for a in self.game.actions(state):
            values[a] = self.min_value(self.game.result(state, a), player)
        return max(values, key=values.get)

# %% AlphaBeta
class AlphaBeta(Player):
    """One function for both levels."""

    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def value(self, state, player, alpha, beta, depth, maximizing):
        g = self.game
        if g.terminal_test(state):
            return g.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        best = -infinity if maximizing else infinity
        for a in g.actions(state):
            v = self.value(g.result(state, a), player, alpha, beta, depth + 1, not maximizing)
            if maximizing:
                best = max(best, v)
                alpha = max(alpha, best)
            else:
                best = min(best, v)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def max_value(self, state, player, alpha, beta, depth):
        return self.value(state, player, alpha, beta, depth, True)

    def min_value(self, state, player, alpha, beta, depth):
        return self.value(state, player, alpha, beta, depth, False)

    def search(self, state):
        player = self.game.to_move(state)
        best, answer = -infinity, None
        for a in self.game.actions(state):
            v = self.min_value(self.game.result(state, a), player, best, infinity, 1)
            if answer is None or v > best:
                best, answer = v, a
        return answer
