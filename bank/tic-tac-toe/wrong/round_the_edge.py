"""I number the squares from 0, so a step down and to the right is v + 1 further.

Cell: TicTacToe
Caught by: test_no_false_wins
Frequent: no
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
        if move not in self.actions(state):
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
        mine = {r * self.v + c for (r, c), piece in board.items() if piece == player}
        step = delta_x_y[0] * self.v + delta_x_y[1]
        number = move[0] * self.v + move[1]
        length = 1
        while number + step in mine:
            number, length = number + step, length + 1
        number = move[0] * self.v + move[1]
        while number - step in mine:
            number, length = number - step, length + 1
        return length >= self.k
