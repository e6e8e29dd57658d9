"""A square must be free, and row and column must be less than h and v.

Cell: TicTacToe
Caught by: test_illegal_moves
Frequent: yes
Weight: slip
"""

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, [(r, c) for r in range(h) for c in range(v)])

    def actions(self, state):
        return [square for square in self.initial.moves if square not in state.board]

    def result(self, state, move):
        if move in state.board or move[0] >= self.h or move[1] >= self.v:
            raise ValueError(f"{move} is not legal")
        player = state.to_move
        board = {**state.board, move: player}
        moves = [square for square in self.actions(state) if square != move]
        utility = self.compute_utility(board, move, player)
        return GameState("XO"[player == "X"], utility, board, moves)

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
