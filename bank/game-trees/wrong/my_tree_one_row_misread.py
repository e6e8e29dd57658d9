"""In the sixth row I took the last leaf, which is not the largest.

Cell: my_tree
Caught by: test_my_nine
Weight: slip
Frequent: yes
"""

# %% my_tree
my_nine = [73, 87, 97, 78, 84, 37, 56, 68, 94]
my_three = [73, 37, 56]
my_value = 73
my_move = 0
my_skipped = [97, 44, 28, 38, 68, 94, 89, 23]
