"""Right, but a cell of its own counts all games of tic-tac-toe, which takes seconds of computing."""

# %% +
def count_games(own=0, other=0):
    """Return in how many ways a game goes on; boards are sets of bits."""
    LINES = (7, 56, 448, 73, 146, 292, 273, 84)
    if any(other & line == line for line in LINES) or own | other == 511:
        return 1
    free = (1 << square for square in range(9) if not (own | other) >> square & 1)
    return sum(count_games(other, own | square) for square in free)

# %% +
began = time.process_time()
rounds = 0
while time.process_time() - began < 8:
    assert count_games() == 255168
    rounds += 1
print("counted", rounds, "times")

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, [(r, c) for r in range(h) for c in range(v)])

    def actions(self, state):
        return list(state.moves)

    def result(self, state, move):
        if move not in state.moves:
            raise ValueError(f"{move} is not free")
        board = dict(state.board)
        board[move] = state.to_move
        left = [square for square in state.moves if square != move]
        utility = self.compute_utility(board, move, state.to_move)
        return GameState("XO"[state.to_move == "X"], utility, board, left)

    def utility(self, state, player):
        return state.utility * (1 if player == "X" else -1)

    def terminal_test(self, state):
        return bool(state.utility) or not state.moves

    def display(self, state):
        for r in range(self.h):
            print("".join(state.board.get((r, c), ".") for c in range(self.v)))

    def compute_utility(self, board, move, player):
        lines = (self.k_in_row(board, move, player, step) for step in [(0, 1), (1, 0), (1, 1), (1, -1)])
        return {"X": 1, "O": -1}[player] if any(lines) else 0

    def k_in_row(self, board, move, player, delta_x_y):
        (r, c), (dr, dc) = move, delta_x_y
        ahead = behind = 0
        while board.get((r + (ahead + 1) * dr, c + (ahead + 1) * dc)) == player:
            ahead += 1
        while board.get((r - (behind + 1) * dr, c - (behind + 1) * dc)) == player:
            behind += 1
        return ahead + behind + 1 >= self.k
