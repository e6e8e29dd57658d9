"""MAX goes left, because 1000 is there.

Cell: two_ply
Caught by: test_two_ply_values
Weight: mistake
Frequent: yes
"""

# %% two_ply
two_ply_values = [1000, 101]
two_ply_value = 1000
two_ply_move = 0
coin_values = [549.5, 100.5]
coin_move = 0
