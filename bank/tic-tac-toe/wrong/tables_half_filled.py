"""Two pairings are enough, and five games each; the utility is the winner's.

Cell: playing
Caught by: test_pairings
Frequent: yes
Weight: mistake
"""

# %% playing
start = after(TicTacToe(), [(0, 0), (1, 1)])
results = {
    ("random", "AlphaBeta"): TicTacToe().play_game(random_player, AlphaBeta(d=9), initial=start),
    ("MiniMax", "AlphaBeta"): TicTacToe().play_game(MiniMax(), AlphaBeta(d=9), initial=start),
}

# %% evaluation_a
terminal_states = {"MiniMax": [], "AlphaBeta": []}
time_taken = {"MiniMax": [], "AlphaBeta": []}
for name, player in [("MiniMax", MiniMax()), ("AlphaBeta", AlphaBeta(9))]:
    for opening in OPENINGS[:5]:
        game = TicTacToe()
        begin = time.time()
        end = game.play_game(player, player, initial=after(game, opening))
        time_taken[name].append(time.time() - begin)
        terminal_states[name].append(abs(end))
