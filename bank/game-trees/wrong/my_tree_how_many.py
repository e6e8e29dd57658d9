"""I write how many leaves are skipped.

Cell: my_tree
Caught by: test_my_skipped
Weight: mistake
Frequent: yes
"""

# %% my_tree
#  53 73 51    61 30 87    82 97 44
#  78 66 41    62 47 84    19 76 37
#  32 56 20    28 38 68    94 89 23
my_nine = [73, 87, 97, 78, 84, 76, 56, 68, 94]
my_three = [73, 76, 56]
my_value = 76
my_move = 1
my_skipped = 8
