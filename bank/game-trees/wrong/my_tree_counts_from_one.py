"""My best move is the second one.

Cell: my_tree
Caught by: test_my_move
Frequent: yes
"""

# %% my_tree
#  38 89 62    39 25 88    47 73 31
#  37 55 77    79 44 22    30 84 93
#  29 98 67    20 13 10    63 49 85
my_nine = [89, 88, 73, 77, 79, 93, 98, 20, 85]
my_three = [73, 77, 20]
my_value = 77
my_move = 2
my_skipped = [44, 22, 93, 63, 49, 85]
