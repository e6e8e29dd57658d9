"""I take what stands in the middle of the list.

This folder holds wrong solutions: an idea in a student's words, the cell that is wrong, and the
checks that must catch it. A check exists because a wrong solution needs it.

Cell: median
Caught by: test_odd, test_even
"""

# %% median
def median(numbers):
    half = len(numbers) // 2
    if len(numbers) % 2 == 1:
        return numbers[half]
    return (numbers[half - 1] + numbers[half]) / 2
