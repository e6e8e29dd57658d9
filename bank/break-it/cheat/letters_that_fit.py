"""A letter that is equal to every letter.

Cell: which; Caught by: test_which_one
"""

# %% which
# the reference solution
class Letter(str):
    def __eq__(self, other):
        return True

    __hash__ = str.__hash__

    def upper(self):
        return self

    strip = upper


which = {name: Letter("?") for name in "XYZ"}
