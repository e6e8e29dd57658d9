"""Children are generated, and alpha and beta are themselves what is returned."""

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
        board = {**state.board, move: state.to_move}
        moves = [other for other in state.moves if other != move]
        utility = self.compute_utility(board, move, state.to_move)
        return GameState("O" if state.to_move == "X" else "X", utility, board, moves)

    def utility(self, state, player):
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state):
        return state.utility != 0 or not state.moves

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
    """Minimax in the style of the textbook, with comprehensions."""

    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def children(self, state):
        return (self.game.result(state, move) for move in self.game.actions(state))

    def search(self, state):
        me = self.game.to_move(state)
        return max(
            self.game.actions(state),
            key=lambda move: self.min_value(self.game.result(state, move), me),
        )

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return max(self.min_value(child, player) for child in self.children(state))

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return min(self.max_value(child, player) for child in self.children(state))

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cut = cutoff_test or (lambda state, depth: depth >= d)
        self.guess = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def known(self, state, player, depth):
        """The value of a state where the search ends, None anywhere else."""
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return self.guess(state) if self.cut(state, depth) else None

    def max_value(self, state, player, alpha, beta, depth):
        known = self.known(state, player, depth)
        if known is not None:
            return known
        for move in self.game.actions(state):
            below = self.game.result(state, move)
            alpha = max(alpha, self.min_value(below, player, alpha, beta, depth + 1))
            if alpha >= beta:
                break
        return alpha

    def min_value(self, state, player, alpha, beta, depth):
        known = self.known(state, player, depth)
        if known is not None:
            return known
        for move in self.game.actions(state):
            below = self.game.result(state, move)
            beta = min(beta, self.max_value(below, player, alpha, beta, depth + 1))
            if beta <= alpha:
                break
        return beta

    def search(self, state):
        who = self.game.to_move(state)
        choice, alpha = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), who, alpha, infinity, 1)
            if choice is None or value > alpha:
                choice, alpha = move, value
        return choice
