"""The default `eval_fn` counts open lines on boards, says 0 elsewhere, and is never above a win."""

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.player = None
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or self.open_lines

    def open_lines(self, state):
        """How many more lines are open to the searching player, squeezed into -0.9 to 0.9."""
        board = getattr(state, "board", None)
        moves = getattr(state, "moves", None)
        if not board or not moves or not isinstance(moves[0], tuple):
            return 0
        squares = set(board) | set(moves)
        height = 1 + max(row for row, _ in squares)
        width = 1 + max(column for _, column in squares)
        k = min(getattr(self.game, "k", 3), max(height, width))
        total, lines = 0, 0
        for row, column in squares:
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + i * down, column + i * right) for i in range(k)]
                if line[-1] not in squares:
                    continue
                lines += 1
                holders = {board[square] for square in line if square in board}
                if len(holders) == 1:
                    held = sum(square in board for square in line)
                    total += held**2 if holders == {self.player} else -(held**2)
        return 0.9 * total / (lines * k * k or 1)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        self.player = self.game.to_move(state)
        best, alpha = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), self.player, alpha, infinity, 1)
            if best is None or value > alpha:
                best, alpha = move, value
        return best

    def max_value(self, state, player, alpha, beta, depth):
        self.player = player
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = -infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = max(value, self.min_value(child, player, max(value, alpha), beta, depth + 1))
            if value >= beta:
                break
        return value

    def min_value(self, state, player, alpha, beta, depth):
        self.player = player
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = min(value, self.max_value(child, player, alpha, min(value, beta), depth + 1))
            if value <= alpha:
                break
        return value
