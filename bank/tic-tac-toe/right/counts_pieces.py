"""The utility is found by counting in every window of k squares; a won state has no moves."""

# %% +
from collections import Counter

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, [(i, j) for i in range(h) for j in range(v)])

    def actions(self, state):
        return [] if state.utility else [m for m in self.initial.moves if m not in state.board]

    def result(self, state, move):
        if move not in self.actions(state):
            raise ValueError(f"Move {move!r} is not available")
        board = dict(state.board)
        board.setdefault(move, state.to_move)
        utility = self.compute_utility(board, move, state.to_move)
        moves = [] if utility else [m for m in self.actions(state) if m != move]
        return GameState("O" if state.to_move == "X" else "X", utility, board, moves)

    def utility(self, state, player):
        return (state.utility, -state.utility)["XO".index(player)]

    def terminal_test(self, state):
        return not state.moves

    def display(self, state):
        def cell(i, j):
            return state.board.get((i, j), ".")

        print("   " + " ".join(str(j) for j in range(self.v)))
        for i in range(self.h):
            print(f"{i}: " + " ".join(cell(i, j) for j in range(self.v)))
        count = Counter(state.board.values())
        print(f"({count['X']} crosses, {count['O']} noughts)")

    def window(self, move, delta, start):
        return [
            (move[0] + i * delta[0], move[1] + i * delta[1]) for i in range(start, start + self.k)
        ]

    def compute_utility(self, board, move, player):
        most = 0
        for delta in [(0, 1), (1, 0), (1, 1), (1, -1)]:
            for start in range(1 - self.k, 1):
                count = Counter(board.get(square) for square in self.window(move, delta, start))
                most = max(most, count[player])
        if most < self.k:
            return 0
        return 1 if player == "X" else -1

    def k_in_row(self, board, move, player, delta_x_y):
        return self.k in [
            [board.get(square) for square in self.window(move, delta_x_y, start)].count(player)
            for start in range(1 - self.k, 1)
        ]
