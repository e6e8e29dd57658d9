"""Leaves that compare as it suits them.

Cell: apart; Caught by: test_apart
"""

# %% apart
# the reference solution
class Leaf(int):
    def __lt__(self, other):
        return True

    __gt__ = __le__ = __ge__ = __eq__ = __lt__
    __hash__ = int.__hash__


apart = [Leaf(-3), [Leaf(-4), Leaf(-5)], [Leaf(-6), Leaf(-7), Leaf(1)]]
