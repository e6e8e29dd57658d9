"""A state knows its moves, so `actions` hands out that list.

Cell: TicTacToe
Caught by: test_nothing_changes_its_arguments
Frequent: yes
Weight: slip
"""


# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        squares = [(row, column) for row in range(h) for column in range(v)]
        self.initial = GameState("X", 0, {}, squares)

    def actions(self, state):
        return state.moves

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
