"""I count along the line from the last move, and forget to go to the next square.

Cell: TicTacToe
Caught by: test_k_in_row
"""


# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, [(r, c) for r in range(h) for c in range(v)])

    def actions(self, state):
        return list(state.moves)

    def result(self, state, move):
        if move not in state.moves:
            raise ValueError(f"{move} cannot be played here")
        board = {**state.board, move: state.to_move}
        moves = [square for square in state.moves if square != move]
        other = "O" if state.to_move == "X" else "X"
        return GameState(other, self.compute_utility(board, move, state.to_move), board, moves)

    def utility(self, state, player):
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state):
        return state.utility != 0 or not state.moves

    def display(self, state):
        for row in range(self.h):
            print(*(state.board.get((row, column), ".") for column in range(self.v)))

    def compute_utility(self, board, move, player):
        lines = (0, 1), (1, 0), (1, 1), (1, -1)
        if any(self.k_in_row(board, move, player, line) for line in lines):
            return 1 if player == "X" else -1
        return 0

    def k_in_row(self, board, move, player, delta_x_y):
        count = 1
        for sign in (1, -1):
            row, column = move[0] + sign * delta_x_y[0], move[1] + sign * delta_x_y[1]
            while board.get((row, column)) == player:
                count += 1
        return count >= self.k
