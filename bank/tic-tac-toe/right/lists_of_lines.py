"""All lines of a board are worked out once, cached by its size, and looked up by square."""

# %% +
from functools import lru_cache


@lru_cache(maxsize=None)
def all_lines(h, v, k):
    """The lines of k squares through each square, by direction."""
    table = {(r, c): {} for r in range(h) for c in range(v)}
    for r, c in table:
        for step in (0, 1), (1, 0), (1, 1), (1, -1):
            line = tuple((r + i * step[0], c + i * step[1]) for i in range(k))
            if all(square in table for square in line):
                for square in line:
                    table[square].setdefault(step, []).append(line)
    return table


# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.lines = all_lines(h, v, k)
        self.initial = GameState("X", 0, {}, list(self.lines))

    def actions(self, state):
        return [square for square in self.lines if square not in state.board]

    def result(self, state, move):
        if move in state.board or move not in self.lines:
            raise IllegalMove(repr(move))
        board = dict(state.board)
        board[move] = state.to_move
        moves = [square for square in self.lines if square not in board]
        utility = self.compute_utility(board, move, state.to_move)
        return GameState("O" if state.to_move == "X" else "X", utility, board, moves)

    def utility(self, state, player):
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state):
        return state.utility != 0 or len(state.board) == len(self.lines)

    def display(self, state):
        text = [state.board.get(square, ".") for square in self.lines]
        while text:
            print(*text[: self.v])
            del text[: self.v]

    def compute_utility(self, board, move, player):
        for step in self.lines[move]:
            if self.k_in_row(board, move, player, step):
                return 1 if player == "X" else -1
        return 0

    def k_in_row(self, board, move, player, delta_x_y):
        return any(
            all(board.get(square) == player for square in line)
            for line in self.lines[move].get(delta_x_y, ())
        )
