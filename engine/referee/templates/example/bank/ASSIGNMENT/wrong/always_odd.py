"""I thought that there is always one in the middle.

Cell: median
Caught by: test_even
"""

# %% median
def median(numbers):
    return sorted(numbers)[len(numbers) // 2]
