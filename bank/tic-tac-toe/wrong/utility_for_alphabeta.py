"""It is AlphaBeta that we test, so the utility is the one for AlphaBeta.

Cell: playing
Caught by: test_minimax_does_not_lose
Area: whose utility it is
Principle: Each entry is the utility for the player who goes first.
"""

# %% playing
players = {"random": random_player, "MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}
results = {}
for name in "random", "MiniMax":
    results["AlphaBeta", name] = TicTacToe().play_game(players["AlphaBeta"], players[name])
    results[name, "AlphaBeta"] = -TicTacToe().play_game(players[name], players["AlphaBeta"])
