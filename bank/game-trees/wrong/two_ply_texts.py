"""I put all numbers in quotes, like the id.

Cell: two_ply
Caught by: test_two_ply_values, test_two_ply_coin
Weight: mistake
Frequent: yes
"""

# %% two_ply
two_ply_values = ["99", "100"]
two_ply_value = "100"
two_ply_move = 1
coin_values = ["549.5", "100.5"]
coin_move = 0
