"""Moves are numbered 1 and 2.

Cell: two_ply
Caught by: test_two_ply_moves
Weight: slip
Frequent: yes
"""

# %% two_ply
two_ply_values = [99, 100]
two_ply_value = 100
two_ply_move = 2
coin_values = [549.5, 100.5]
coin_move = 1
