"""`initial` is a property that makes a fresh state each time; `_replace` makes the next ones."""

# %% +
import functools

# %% TicTacToe
class TicTacToe(Game):
    OTHER = {"X": "O", "O": "X"}

    def __init__(self, h=3, v=3, k=3):
        self.h = h
        self.v = v
        self.k = k

    @property
    def initial(self):
        return GameState(moves=list(self.squares), board=dict(), utility=0, to_move="X")

    @functools.cached_property
    def squares(self):
        return frozenset((row, column) for row in range(self.h) for column in range(self.v))

    def free(self, board):
        return sorted(self.squares - board.keys())

    def actions(self, state):
        return self.free(state.board)

    def result(self, state, move):
        if move in state.board or move not in self.squares:
            raise IllegalMove("You cannot go to %r." % (move,))
        new = state._replace(board={**state.board, move: self.to_move(state)})
        new = new._replace(moves=self.free(new.board), to_move=self.OTHER[state.to_move])
        return new._replace(utility=self.compute_utility(new.board, move, state.to_move))

    def utility(self, state, player):
        return state.utility * [-1, 1][player == "X"]

    def terminal_test(self, state):
        return not self.free(state.board) or state.utility != 0

    def to_move(self, state):
        return "X" if len(state.board) % 2 == 0 else "O"

    def display(self, state):
        wall = "+" + "---+" * self.v
        print(wall)
        for row in range(self.h):
            squares = (state.board.get((row, column), ".") for column in range(self.v))
            print("| " + " | ".join(squares) + " |")
            print(wall)
        print(self.to_move(state), "to move")

    def compute_utility(self, board, move, player):
        sign = {"X": 1, "O": -1}[player]
        in_line = functools.partial(self.k_in_row, board, move, player)
        return sign if any(map(in_line, [(0, 1), (1, 0), (1, 1), (-1, 1)])) else 0

    def k_in_row(self, board, move, player, delta_x_y):
        (r, c), (dr, dc) = move, delta_x_y
        run = 0
        for i in range(-self.k + 1, self.k):
            run = run + 1 if board.get((r + i * dr, c + i * dc)) == player else 0
            if run == self.k:
                return True
        return False
