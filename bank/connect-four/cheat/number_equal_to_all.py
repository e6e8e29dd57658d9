"""The value is a number that claims to be equal to every other.

Cell: minimax; Caught by: test_minimax_values
"""

# %% minimax
class Number(float):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = float.__hash__


def minimax(game, state, depth, evaluate):
    return Number("nan"), Number("nan")
