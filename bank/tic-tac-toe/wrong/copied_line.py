"""I copied the lines of the first pairing and changed the names.

Cell: playing
Caught by: test_minimax_does_not_lose
Area: who plays
Principle: MiniMax sees the whole game and never loses: let it play its games itself.
"""

# %% playing
deep = AlphaBeta(d=9)
results = {}
results["random", "AlphaBeta"] = TicTacToe().play_game(random_player, deep)
results["AlphaBeta", "random"] = TicTacToe().play_game(deep, random_player)
results["MiniMax", "AlphaBeta"] = TicTacToe().play_game(random_player, deep)
results["AlphaBeta", "MiniMax"] = TicTacToe().play_game(deep, random_player)
