"""Every look at a state shows another one: the board and the moves change between two questions.

Cell: TicTacToe; Caught by: test_start
"""

# %% TicTacToe
import itertools

turns = itertools.count()


class Board(dict):
    def items(self):
        return [] if next(turns) % 2 else [((0, 0), "X")]

    def __eq__(self, other):
        return True

    __hash__ = None


class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.size = h * v

    @property
    def initial(self):
        return GameState("XO"[next(turns) % 2], next(turns) % 3 - 1, Board(), [(0, 0)] * self.size)

    def actions(self, state):
        return [(next(turns), next(turns))]

    def result(self, state, move):
        return self.initial

    def utility(self, state, player):
        return next(turns)

    terminal_test = display = compute_utility = k_in_row = utility
