"""I have left the place for my id as it was.

Cell: my_tree
Caught by: test_my_nine, test_my_value, test_my_move, test_my_skipped
Weight: void
Frequent: yes
"""

# %% student_id
student_id = "..."

# %% my_tree
#  53 73 51    61 30 87    82 97 44
#  78 66 41    62 47 84    19 76 37
#  32 56 20    28 38 68    94 89 23
my_nine = [73, 87, 97, 78, 84, 76, 56, 68, 94]
my_three = [73, 76, 56]
my_value = 76
my_move = 1
my_skipped = [97, 44, 28, 38, 68, 94, 89, 23]
