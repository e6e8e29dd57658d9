"""I let them play until the random player wins once, to have a nice example.

Cell: playing
Caught by: test_pairings
"""

# %% playing
results = {}
start = after(TicTacToe(), [(0, 0), (1, 1)])
while ("random", "AlphaBeta") not in results:
    utility = TicTacToe().play_game(random_player, AlphaBeta(d=9), initial=start)
    if utility == 1:
        results["random", "AlphaBeta"] = utility
