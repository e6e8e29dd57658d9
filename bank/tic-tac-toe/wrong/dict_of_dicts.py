"""results['random']['AlphaBeta'] is the game that random begins.

Cell: playing
Caught by: test_pairings
Area: the keys of `results`
Principle: A key is a pair of names, a tuple: `results['random', 'AlphaBeta']`.
"""

# %% playing
deep = AlphaBeta(d=9)
results = {"random": {}, "MiniMax": {}, "AlphaBeta": {}}
for name, player in ("random", random_player), ("MiniMax", MiniMax()):
    results[name]["AlphaBeta"] = TicTacToe().play_game(player, deep)
    results["AlphaBeta"][name] = TicTacToe().play_game(deep, player)
