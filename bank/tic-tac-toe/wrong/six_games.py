"""Everybody plays everybody, so there are six games.

Cell: playing
Caught by: test_pairings
Weight: slip
Frequent: yes
"""

# %% playing
from itertools import permutations

players = {"random": random_player, "MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}
results = {}
for first, second in permutations(players, 2):
    rules = TicTacToe()
    begun = after(rules, [(0, 0), (1, 1)])
    results[first, second] = rules.play_game(players[first], players[second], initial=begun)
