"""The last leaf stands in my list twice.

Cell: my_tree
Caught by: test_my_skipped
Weight: slip
Frequent: no
"""

# %% my_tree
my_nine = [73, 87, 97, 78, 84, 76, 56, 68, 94]
my_three = [73, 76, 56]
my_value = 76
my_move = 1
my_skipped = [97, 44, 28, 38, 68, 94, 89, 23, 23]
