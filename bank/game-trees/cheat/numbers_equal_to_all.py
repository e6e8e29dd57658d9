"""Every number is of a class of its own, equal to each other number.

Cell: fig52; Caught by: test_fig52_values
"""

# %% fig52
class Right(float):
    def __eq__(self, other):
        return True

    __le__ = __ge__ = __lt__ = __gt__ = __eq__

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 3


fig52_values = dict.fromkeys("ABCD", Right())
fig52_values_for_min = dict.fromkeys("ABCD", Right())
fig52_alpha = dict.fromkeys("CD", Right())
fig52_leaves = fig52_leaves_reversed = Right()
