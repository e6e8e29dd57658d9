"""Negamax inside, generators, helpers in cells of their own, moves tried from the centre out."""

# %% +
from itertools import product


def opponent(player):
    return {"X": "O", "O": "X"}[player]


def lines_through(square, step, k):
    """All runs of k squares along a step that contain the square."""
    (r, c), (dr, dc) = square, step
    for back in range(k):
        yield [(r + (i - back) * dr, c + (i - back) * dc) for i in range(k)]

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.size = h, v
        self.k = k

    @property
    def initial(self):
        return GameState("X", 0, {}, tuple(product(*map(range, self.size))))

    def actions(self, state):
        return (square for square in state.moves)

    def result(self, state, move):
        if move not in state.moves:
            raise IllegalMove(move)
        player = state.to_move
        board = state.board | {move: player}
        left = tuple(square for square in state.moves if square != move)
        return GameState(opponent(player), self.compute_utility(board, move, player), board, left)

    def utility(self, state, player):
        return state.utility * (1 if player == "X" else -1)

    def terminal_test(self, state):
        return bool(state.utility) or not state.moves

    def display(self, state):
        rows, columns = self.size
        for row in range(rows):
            print("".join(state.board.get((row, column), "_") for column in range(columns)))
        print()

    def compute_utility(self, board, move, player):
        won = any(
            self.k_in_row(board, move, player, step) for step in [(0, 1), (1, 0), (1, 1), (1, -1)]
        )
        return (1 if player == "X" else -1) if won else 0

    def k_in_row(self, board, move, player, delta_x_y):
        return any(
            all(board.get(square) == player for square in line)
            for line in lines_through(move, delta_x_y, self.k)
        )

# %% +
def central(moves):
    """Moves near the middle first, where they are squares; otherwise as they come."""
    moves = list(moves)
    if moves and isinstance(moves[0], tuple):
        middle = [sum(axis) / len(moves) for axis in zip(*moves)]
        moves.sort(key=lambda move: sum(abs(a - b) for a, b in zip(move, middle)))
    return moves

# %% MiniMax
class MiniMax(Player):
    """Values are for whoever is to move, inside; turned round for the outside."""

    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        return MiniMax(game).search(state)

    def _value(self, state):
        mover = self.game.to_move(state)
        if self.game.terminal_test(state):
            return self.game.utility(state, mover)
        return max(-self._value(self.game.result(state, move)) for move in self.game.actions(state))

    def max_value(self, state, player):
        return self._value(state) if self.game.to_move(state) == player else -self._value(state)

    min_value = max_value

    def search(self, state):
        values = {
            move: -self._value(self.game.result(state, move)) for move in self.game.actions(state)
        }
        return max(values, key=values.get)

# %% AlphaBeta
class AlphaBeta(Player):
    """One recursive function for both sides: the window is mirrored at each level."""

    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0.5)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def _value(self, state, player, alpha, beta, depth, sign):
        """The value for `player`, times sign."""
        if self.game.terminal_test(state):
            return sign * self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return sign * self.eval_fn(state)
        best = -infinity
        for move in central(self.game.actions(state)):
            child = self.game.result(state, move)
            best = max(
                best, -self._value(child, player, -beta, -max(alpha, best), depth + 1, -sign)
            )
            if best >= beta:
                break
        return best

    def max_value(self, state, player, alpha, beta, depth):
        return self._value(state, player, alpha, beta, depth, 1)

    def min_value(self, state, player, alpha, beta, depth):
        return -self._value(state, player, -beta, -alpha, depth, -1)

    def search(self, state):
        player = self.game.to_move(state)
        best = None
        for move in central(self.game.actions(state)):
            floor = -infinity if best is None else best[0]
            value = self.min_value(self.game.result(state, move), player, floor, infinity, 1)
            if best is None or value > floor:
                best = value, move
        return best[1]
