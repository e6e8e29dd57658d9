"""The key is the pair of the opponent and the player.

Cell: playing
Caught by: test_minimax_does_not_lose
Frequent: yes
Weight: slip
"""

# %% playing
players = {"random": random_player, "MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}
results = {}


def game(first, second):
    start = after(TicTacToe(), [(0, 0), (1, 1)])
    return TicTacToe().play_game(first, second, initial=start)


for pair in ("random", "AlphaBeta"), ("MiniMax", "AlphaBeta"):
    for first, second in pair, pair[::-1]:
        results[second, first] = game(players[first], players[second])
