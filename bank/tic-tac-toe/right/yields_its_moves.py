"""`actions` is a generator function, moves are a tuple, and everything is done lazily."""

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h = h
        self.v = v
        self.k = k
        self.initial = GameState(to_move="X", utility=0, board={}, moves=tuple(self._squares()))

    def _squares(self):
        for row in range(self.h):
            for column in range(self.v):
                yield row, column

    def actions(self, state):
        for square in self._squares():
            if square not in state.board:
                yield square

    def result(self, state, move):
        if all(move != square for square in self.actions(state)):
            raise ValueError(f"{move} cannot be played")
        board = dict(state.board, **{})
        board.update({move: state.to_move})
        following = GameState("O" if state.to_move == "X" else "X", 0, board, ())
        return following._replace(
            utility=self.compute_utility(board, move, state.to_move),
            moves=tuple(self.actions(following)),
        )

    def utility(self, state, player):
        if state.utility == 0:
            return 0
        return 1 if (state.utility > 0) == (player == "X") else -1

    def terminal_test(self, state):
        return state.utility in (1, -1) or next(self.actions(state), None) is None

    def display(self, state):
        def lines():
            for row in range(self.h):
                yield "".join(state.board.get((row, column), ".") for column in range(self.v))

        print("\n".join(lines()))

    def compute_utility(self, board, move, player):
        directions = iter([(1, 1), (1, -1), (1, 0), (0, 1)])
        won = any(self.k_in_row(board, move, player, direction) for direction in directions)
        return won * (1 if player == "X" else -1)

    def _walk(self, board, square, player, step):
        row, column = square
        while board.get((row, column)) == player:
            yield row, column
            row, column = row + step[0], column + step[1]

    def k_in_row(self, board, move, player, delta_x_y):
        down, right = delta_x_y
        line = {*self._walk(board, move, player, (down, right))}
        line |= {*self._walk(board, move, player, (-down, -right))}
        return len(line) >= self.k

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def children(self, state):
        for move in self.game.actions(state):
            yield move, self.game.result(state, move)

    def search(self, state):
        me = self.game.to_move(state)
        rated = ((self.min_value(child, me), move) for move, child in self.children(state))
        return max(rated, key=lambda pair: pair[0])[1]

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return max(self.min_value(child, player) for _, child in self.children(state))

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return min(self.max_value(child, player) for _, child in self.children(state))

# %% AlphaBeta
class AlphaBeta(Player):
    """A child is generated when the loop asks for it, so that a cut saves the rest."""

    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth > d - 1)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def children(self, state):
        yield from ((move, self.game.result(state, move)) for move in self.game.actions(state))

    def search(self, state):
        me = self.game.to_move(state)
        moves, best, alpha = self.children(state), None, -infinity
        for move, child in moves:
            value = self.min_value(child, me, alpha, infinity, 1)
            if best is None or value > alpha:
                best, alpha = (move,), value
        return best[0]

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = -infinity
        for _, child in self.children(state):
            value = max(value, self.min_value(child, player, alpha, beta, depth + 1))
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return value

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = infinity
        for _, child in self.children(state):
            value = min(value, self.max_value(child, player, alpha, beta, depth + 1))
            beta = min(beta, value)
            if alpha >= beta:
                break
        return value
