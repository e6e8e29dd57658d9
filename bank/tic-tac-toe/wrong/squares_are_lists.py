"""The squares of `moves` are lists, [row, column]; the keys of the board are tuples, as they must be.

Cell: TicTacToe
Caught by: test_start
Frequent: yes
Weight: mistake
"""

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, [[r, c] for r in range(h) for c in range(v)])

    def actions(self, state):
        return list(state.moves)

    def result(self, state, move):
        if list(move) not in state.moves:
            raise ValueError("illegal move")
        row, column = move
        board = dict(state.board)
        board[row, column] = state.to_move
        moves = [square for square in state.moves if square != [row, column]]
        utility = self.compute_utility(board, (row, column), state.to_move)
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
