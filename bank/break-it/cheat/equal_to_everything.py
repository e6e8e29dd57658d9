"""The answers are equal to everything, and true.

Cell: told; Caught by: test_told_two
"""

# %% told
# the reference solution
class Right(dict):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __getitem__(self, key):
        return "innocent"

    def __contains__(self, key):
        return True

    def __len__(self):
        return 3


told = Right(P=0)
