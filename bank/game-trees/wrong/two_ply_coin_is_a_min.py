"""Whoever moves there, the smaller leaf counts.

Cell: two_ply
Caught by: test_two_ply_coin, test_two_ply_moves
Weight: mistake
Frequent: yes
"""

# %% two_ply
two_ply_values = [99, 100]
two_ply_value = 100
two_ply_move = 1
coin_values = [99, 100]
coin_move = 1
