"""One game against a random player says little: I add up the utilities of ten.

Cell: playing
Caught by: test_utilities
Area: the values of `results`
Principle: Each entry is the utility of one game.
"""

# %% playing
deep = AlphaBeta(d=9)
results = {
    ("random", "AlphaBeta"): sum(TicTacToe().play_game(random_player, deep) for _ in range(10)),
    ("AlphaBeta", "random"): sum(TicTacToe().play_game(deep, random_player) for _ in range(10)),
    ("MiniMax", "AlphaBeta"): TicTacToe().play_game(MiniMax(), deep),
    ("AlphaBeta", "MiniMax"): TicTacToe().play_game(deep, MiniMax()),
}
