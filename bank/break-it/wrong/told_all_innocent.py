"""I see nothing wrong with any of them.

Cell: told
Caught by: test_told_two
Weight: void
Frequent: no
"""

# %% told
# the reference solution
told = dict.fromkeys("PQR", "innocent")
