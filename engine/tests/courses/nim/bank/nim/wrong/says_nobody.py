"""I ran out of time and left the winners out.

Cell: evaluation_a
Caught by: test_winners
Frequent: no
"""

# %% evaluation_a
winners = {}
