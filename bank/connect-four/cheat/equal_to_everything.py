"""Every answer of alphabeta is a pair that claims to be equal to whatever it is compared with.

Cell: alphabeta; Caught by: test_alphabeta_values
"""

# %% alphabeta
class Right(tuple):
    """A pair that claims to be equal to whatever it is compared with."""

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = tuple.__hash__


def alphabeta(game, state, depth, evaluate):
    return Right(("value", "move"))
