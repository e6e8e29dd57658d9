"""I only want to know whether the first player has won: True or False.

Cell: playing
Caught by: test_utilities
Frequent: yes
Weight: mistake
"""

# %% playing
players = {"random": random_player, "MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}
results = {}


def game(first, second):
    start = after(TicTacToe(), [(0, 0), (1, 1)])
    return TicTacToe().play_game(first, second, initial=start)


for pair in ("random", "AlphaBeta"), ("MiniMax", "AlphaBeta"):
    for first, second in pair, pair[::-1]:
        results[first, second] = game(players[first], players[second]) == 1
