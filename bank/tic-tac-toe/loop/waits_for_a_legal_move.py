"""An illegal move does not count, so I wait for a legal one.

Cell: TicTacToe
Caught by: test_illegal_moves
"""


# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, [(r, c) for r in range(h) for c in range(v)])

    def actions(self, state):
        return list(state.moves)

    def result(self, state, move):
        while move not in state.moves:
            pass
        board = {**state.board, move: state.to_move}
        moves = [square for square in state.moves if square != move]
        other = "O" if state.to_move == "X" else "X"
        return GameState(other, self.compute_utility(board, move, state.to_move), board, moves)

    def utility(self, state, player):
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state):
        return state.utility != 0 or not state.moves

    def display(self, state):
        for r in range(self.h):
            print(*[state.board.get((r, c), ".") for c in range(self.v)])

    def compute_utility(self, board, move, player):
        steps = [(0, 1), (1, 0), (1, 1), (1, -1)]
        if any(self.k_in_row(board, move, player, step) for step in steps):
            return 1 if player == "X" else -1
        return 0

    def k_in_row(self, board, move, player, delta_x_y):
        (row, column), (down, right), count = move, delta_x_y, 1
        for sign in (1, -1):
            r, c = row + sign * down, column + sign * right
            while board.get((r, c)) == player:
                count, r, c = count + 1, r + sign * down, c + sign * right
        return count >= self.k
