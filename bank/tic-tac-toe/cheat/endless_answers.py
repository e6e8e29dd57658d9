"""The legal moves and the answers of a game are generators that never end.

Cell: TicTacToe; Caught by: test_start
"""

# %% TicTacToe
import itertools


class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.initial = (square for square in itertools.cycle([(0, 0)]))

    def actions(self, state):
        return itertools.cycle([(0, 0)])

    result = utility = terminal_test = display = compute_utility = k_in_row = actions
