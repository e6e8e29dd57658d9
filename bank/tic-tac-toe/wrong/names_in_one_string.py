"""The key is the name of the game, such as 'random v AlphaBeta'.

Cell: playing
Caught by: test_pairings
Frequent: yes
Weight: mistake
"""

# %% playing
players = {"random": random_player, "MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}
results = {}


def game(first, second):
    start = after(TicTacToe(), [(0, 0), (1, 1)])
    return TicTacToe().play_game(first, second, initial=start)


for first, second in ("random", "AlphaBeta"), ("MiniMax", "AlphaBeta"):
    results[f"{first} v {second}"] = game(players[first], players[second])
    results[f"{second} v {first}"] = game(players[second], players[first])
