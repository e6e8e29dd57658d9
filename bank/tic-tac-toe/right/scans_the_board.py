"""Nothing is believed that a state says: turn, moves, winner and end are read off the board."""

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.initial = self.make({})

    def make(self, board):
        winner = self.winner(board)
        return GameState(
            to_move=self.turn(board),
            utility={"X": 1, "O": -1, None: 0}[winner],
            board=board,
            moves=[] if winner else self.free(board),
        )

    def free(self, board):
        return [
            (row, column)
            for row in range(self.h)
            for column in range(self.v)
            if (row, column) not in board
        ]

    def turn(self, board):
        pieces = list(board.values())
        return "X" if pieces.count("X") == pieces.count("O") else "O"

    def winner(self, board):
        """Look at every line that begins on any square."""
        for (row, column), player in board.items():
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                for i in range(1, self.k):
                    if board.get((row + i * down, column + i * right)) != player:
                        break
                else:
                    return player
        return None

    def to_move(self, state):
        return self.turn(state.board)

    def actions(self, state):
        return [] if self.winner(state.board) else self.free(state.board)

    def result(self, state, move):
        if move not in self.free(state.board):
            raise ValueError("no such move")
        return self.make({**state.board, move: self.turn(state.board)})

    def utility(self, state, player):
        winner = self.winner(state.board)
        if winner is None:
            return 0
        return 1 if winner == player else -1

    def terminal_test(self, state):
        return self.winner(state.board) is not None or len(self.free(state.board)) == 0

    def display(self, state):
        for row in range(self.h):
            for column in range(self.v):
                print(state.board[row, column] if (row, column) in state.board else ".", end="")
            print(end="\n")

    def compute_utility(self, board, move, player):
        return {"X": 1, "O": -1, None: 0}[self.winner(board)]

    def k_in_row(self, board, move, player, delta_x_y):
        return any(
            all(
                board.get(
                    (move[0] + (i - start) * delta_x_y[0], move[1] + (i - start) * delta_x_y[1])
                )
                == player
                for i in range(self.k)
            )
            for start in range(self.k)
        )
