"""The keys are the two players.

Cell: playing
Caught by: test_pairings
Area: the keys of `results`
Principle: A key is a pair of names: 'random', 'MiniMax' and 'AlphaBeta'.
"""

# %% playing
deep = AlphaBeta(d=9)
results = {}
for player in random_player, MiniMax():
    results[player, deep] = TicTacToe().play_game(player, deep)
    results[deep, player] = TicTacToe().play_game(deep, player)
