"""The moves are a list of a class of its own, whose items never end.

Cell: TicTacToe; Caught by: test_start
"""

# %% TicTacToe
class Endless(list):
    def __iter__(self):
        while True:
            yield (0, 0)

    def __len__(self):
        return 9


class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.initial = GameState("X", 0, {}, Endless())

    def actions(self, state):
        return Endless()

    result = utility = terminal_test = display = compute_utility = k_in_row = actions
