"""One large tree is bound to give all of them away.

Cell: told
Caught by: test_told_two
Weight: void
Frequent: no
"""

# %% told
# the reference solution
told = dict.fromkeys("PQR", [0, [1, [-1, 1], [2, [1, -3]]], [-1, 2]])
