"""It is enough that the two differ.

Cell: apart
Caught by: test_apart_from_right
Weight: mistake
Frequent: no
"""

# %% apart
# the reference solution
trees = [  # for each a text: who of the seven programs goes wrong there
    ([[[5, -8], 8], -3, -7, [-4, 4]], "1100100"), ([[-9, 4, [3, 5, -6]], -4], "0010110"),
]
apart = next(tree for tree, wrong in trees if wrong[two[0]] != wrong[two[1]])
