"""I let them play until the random player wins, which does not happen.

Cell: playing
Caught by: test_playing
"""

# %% playing
results = {}
while "random" not in results:
    if Nim(1, 1).play_game(random_player, random_player) == 1:
        results["random"] = 1
