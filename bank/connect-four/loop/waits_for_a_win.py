"""Games are played until a player at random has won a hundred times in a row.

Cell: nodes
Caught by: test_minimax_counts
"""

# %% nodes
nodes = {}
in_a_row = 0
while in_a_row < 100:
    in_a_row = in_a_row + 1 if ConnectFour().play_game(random_player, random_player) == 1 else 0
