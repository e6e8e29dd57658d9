"""I take numbers away from both ends.

This folder holds right solutions in other styles than the reference: each must get all points.
What follows `# %% median` stands in the cell of that name; cells that are not named hold the
reference solution.
"""

# %% median
def median(numbers):
    rest = sorted(numbers)
    while len(rest) > 2:
        rest = rest[1:-1]
    return sum(rest) / len(rest)
