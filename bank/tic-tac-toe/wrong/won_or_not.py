"""I only want to know whether the first player has won: True or False.

Cell: playing
Caught by: test_utilities
Area: the values of `results`
Principle: A result is the utility that `play_game` returns, a number, so that a defeat is not a draw.
"""

# %% playing
players = {"random": random_player, "MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}
results = {}
for pair in ("random", "AlphaBeta"), ("MiniMax", "AlphaBeta"):
    for first, second in pair, pair[::-1]:
        results[first, second] = TicTacToe().play_game(players[first], players[second]) == 1
