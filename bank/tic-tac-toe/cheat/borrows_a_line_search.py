"""Connect Four is asked for lines: its pieces are piled up until those of the board lie in them.

Cell: TicTacToe; Caught by: test_start
"""

# %% TicTacToe
from games import ConnectFour


def turned(square, turn, h, v):
    row, column = square
    row, column = (h - 1 - row if turn & 1 else row), (v - 1 - column if turn & 2 else column)
    return (column, row) if turn & 4 else (row, column)


def has_line(pieces, h, v, k):
    """Ask as X, with O below each X; the board is turned until the game takes it."""
    for turn in range(8):
        placed = {turned(square, turn, h, v) for square in pieces}
        rows, columns = (v, h) if turn & 4 else (h, v)
        for row, column in placed:
            tops = {c: max([r for r, x in placed if x == c], default=-1) for c in range(columns)}
            tops[column] = row - 1
            pile = {(r, c): "O" for c, top in tops.items() for r in range(top + 1)}
            pile |= dict.fromkeys(placed & set(pile), "X")
            more = 2 * list(pile.values()).count("X") - len(pile)
            far = range(columns + 2, columns + 2 + 2 * abs(more), 2)
            pile |= dict.fromkeys([(0, c) for c in far], "O" if more > 0 else "X")
            game = ConnectFour(rows, columns + 2 * abs(more) + 4, k)
            try:
                if game.result(GameState("X", 0, pile, list(range(columns))), column).utility:
                    return True
            except ValueError:
                pass
    return False


class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        squares = [(row, column) for row in range(h) for column in range(v)]
        falling = ConnectFour(h, v, k)
        self.initial = GameState("X", len(falling.line(falling.initial)), {}, squares)

    def actions(self, state):
        return list(state.moves)

    def terminal_test(self, state):
        return not state.moves

    def utility(self, state, player):
        return state.utility if player == "X" else -state.utility

    def result(self, state, move):
        if move not in state.moves:
            raise ValueError(f"{move} is no move")
        board = {**state.board, move: state.to_move}
        won = self.compute_utility(board, move, state.to_move)
        moves = [] if won else [square for square in state.moves if square != move]
        return GameState("O" if state.to_move == "X" else "X", won, board, moves)

    def compute_utility(self, board, move, player):
        pieces = {square for square in board if board[square] == player}
        won = has_line(pieces, self.h, self.v, self.k)
        return (1 if player == "X" else -1) if won else 0

    def k_in_row(self, board, move, player, delta_x_y):
        down, right = delta_x_y
        steps = range(-self.k, self.k + 1)
        line = {(move[0] + i * down, move[1] + i * right) for i in steps}
        pieces = {square for square in line if board.get(square) == player}
        return has_line(pieces, self.h, self.v, self.k)

    def display(self, state):
        for row in range(self.h):
            print(*(state.board.get((row, column), ".") for column in range(self.v)))
