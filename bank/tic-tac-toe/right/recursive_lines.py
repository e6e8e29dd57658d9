"""`k_in_row` walks by recursion, and `compute_utility` asks the piece on the board who moved."""


# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k

        def squares(row, column):
            if row == h:
                return []
            if column == v:
                return squares(row + 1, 0)
            return [(row, column)] + squares(row, column + 1)

        self.initial = GameState("X", 0, {}, squares(0, 0))

    def actions(self, state):
        return sorted(state.moves)

    def result(self, state, move):
        try:
            index = list(state.moves).index(move)
        except ValueError as error:
            raise ValueError(f"{move} is not one of the legal moves") from error
        board = state.board | {move: state.to_move}
        return GameState(
            "O" if state.to_move == "X" else "X",
            self.compute_utility(board, move, state.to_move),
            board,
            [*state.moves[:index], *state.moves[index + 1 :]],
        )

    def utility(self, state, player):
        return -self.utility(state, "X") if player == "O" else state.utility

    def terminal_test(self, state):
        if state.utility:
            return True
        return not state.moves

    def display(self, state, row=0):
        if row < self.h:
            print(" ".join(state.board.get((row, column), ".") for column in range(self.v)))
            self.display(state, row + 1)

    def compute_utility(self, board, move, player=None):
        mover = board[move]
        for step in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if self.k_in_row(board, move, mover, step):
                return {"X": 1, "O": -1}[mover]
        return 0

    def reach(self, board, square, player, step):
        """How many of the player's pieces lie beyond the square, one after the other."""
        following = square[0] + step[0], square[1] + step[1]
        if board.get(following) != player:
            return 0
        return 1 + self.reach(board, following, player, step)

    def k_in_row(self, board, move, player, delta_x_y):
        back = -delta_x_y[0], -delta_x_y[1]
        forth = self.reach(board, move, player, delta_x_y)
        return forth + 1 + self.reach(board, move, player, back) >= self.k
