"""I began with MIN at the leaves.

Cell: my_tree
Caught by: test_my_nine, test_my_value
Frequent: yes
"""

# %% my_tree
#  38 89 62    39 25 88    47 73 31
#  37 55 77    79 44 22    30 84 93
#  29 98 67    20 13 10    63 49 85
my_nine = [38, 25, 31, 37, 22, 30, 29, 10, 49]
my_three = [38, 37, 49]
my_value = 37
my_move = 1
my_skipped = [44, 22, 93, 63, 49, 85]
