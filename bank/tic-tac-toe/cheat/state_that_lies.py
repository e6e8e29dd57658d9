"""The states are of a class of their own that agrees with whatever is expected of it.

Cell: TicTacToe; Caught by: test_start
"""

# %% TicTacToe
class Agreed(GameState):
    def __eq__(self, other):
        return True

    def __getattribute__(self, name):
        return Agreed("X", 0, {}, [])

    def __getitem__(self, key):
        return Agreed("X", 0, {}, [])

    def __iter__(self):
        return iter(("X", 0, {}, []))

    __hash__ = object.__hash__


class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.initial = Agreed("X", 0, {}, [])

    def actions(self, state):
        return Agreed("X", 0, {}, [])

    result = utility = terminal_test = display = compute_utility = k_in_row = lambda self, *_: (
        Agreed("X", 0, {}, [])
    )
