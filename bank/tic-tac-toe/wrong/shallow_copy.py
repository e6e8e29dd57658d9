"""I copy the state with copy.copy before I change it.

Cell: TicTacToe
Caught by: test_nothing_changes_its_arguments
Frequent: yes
Weight: mistake
"""

# %% +
import copy


# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, [(r, c) for r in range(h) for c in range(v)])

    def actions(self, state):
        return [square for square in self.initial.moves if square not in state.board]

    def result(self, state, move):
        if move not in self.actions(state):
            raise ValueError(f"{move} is not legal")
        new = copy.copy(state)
        new.board[move] = state.to_move
        moves = [square for square in self.initial.moves if square not in new.board]
        utility = self.compute_utility(new.board, move, state.to_move)
        return GameState("XO"[state.to_move == "X"], utility, new.board, moves)

    def utility(self, state, player):
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state):
        return state.utility != 0 or len(state.board) == self.h * self.v

    def display(self, state):
        for r in range(self.h):
            print(*[state.board.get((r, c), ".") for c in range(self.v)])

    def compute_utility(self, board, move, player):
        for step in (0, 1), (1, 0), (1, 1), (1, -1):
            if self.k_in_row(board, move, player, step):
                return 1 if player == "X" else -1
        return 0

    def k_in_row(self, board, move, player, delta_x_y):
        dr, dc = delta_x_y
        row, column = move
        length = 1
        while board.get((row + dr, column + dc)) == player:
            row, column, length = row + dr, column + dc, length + 1
        row, column = move
        while board.get((row - dr, column - dc)) == player:
            row, column, length = row - dr, column - dc, length + 1
        return length >= self.k
