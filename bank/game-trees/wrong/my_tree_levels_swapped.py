"""I began with MIN at the leaves.

Cell: my_tree
Caught by: test_my_nine, test_my_value
Weight: mistake
Frequent: yes
"""

# %% my_tree
#  53 73 51    61 30 87    82 97 44
#  78 66 41    62 47 84    19 76 37
#  32 56 20    28 38 68    94 89 23
my_nine = [51, 30, 44, 41, 47, 19, 20, 28, 23]
my_three = [51, 47, 28]
my_value = 28
my_move = 2
my_skipped = [97, 44, 28, 38, 68, 94, 89, 23]
