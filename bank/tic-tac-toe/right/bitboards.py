"""The board is turned into two integers, one bit for each square, and lines are found by shifts."""

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.width = v + 1  # a column that stays empty, so that no line runs round the edge
        self.initial = GameState("X", 0, {}, [(r, c) for r in range(h) for c in range(v)])

    def bit(self, square):
        return 1 << square[0] * self.width + square[1]

    def bits(self, board, player):
        return sum(self.bit(square) for square, piece in board.items() if piece == player)

    def actions(self, state):
        taken = self.bits(state.board, "X") | self.bits(state.board, "O")
        return [
            (r, c) for r in range(self.h) for c in range(self.v) if not taken & self.bit((r, c))
        ]

    def result(self, state, move):
        if move not in self.actions(state):
            raise ValueError(f"{move} is not legal")
        board = {**state.board, move: state.to_move}
        utility = self.compute_utility(board, move, state.to_move)
        moves = [m for m in self.actions(state) if m != move]
        return GameState("O" if state.to_move == "X" else "X", utility, board, moves)

    def utility(self, state, player):
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state):
        full = sum(self.bit((r, c)) for r in range(self.h) for c in range(self.v))
        return state.utility != 0 or self.bits(state.board, "X") + self.bits(
            state.board, "O"
        ) == full

    def display(self, state):
        xs, os = self.bits(state.board, "X"), self.bits(state.board, "O")
        for r in range(self.h):
            row = [self.bit((r, c)) for c in range(self.v)]
            print(*("X" if xs & b else "O" if os & b else "." for b in row))

    def _line(self, pieces, shift):
        for _ in range(self.k - 1):
            pieces &= pieces >> shift
        return pieces

    def compute_utility(self, board, move, player):
        pieces = self.bits(board, player)
        shifts = 1, self.width, self.width + 1, self.width - 1
        if any(self._line(pieces, shift) for shift in shifts):
            return 1 if player == "X" else -1
        return 0

    def k_in_row(self, board, move, player, delta_x_y):
        shift = abs(delta_x_y[0] * self.width + delta_x_y[1])
        first = self._line(self.bits(board, player), shift)
        # does one of the lines found go through the move?
        return any(first & (self.bit(move) >> i * shift) for i in range(self.k))
