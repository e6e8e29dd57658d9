"""The game from the empty board is the eleventh, so it belongs into the lists.

Cell: evaluation_a
Caught by: test_ten_games
Frequent: yes
Weight: slip
"""

# %% evaluation_a
terminal_states = {"MiniMax": [], "AlphaBeta": []}
time_taken = {"MiniMax": [], "AlphaBeta": []}
rules = TicTacToe()
for name, player in {"MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}.items():
    for opening in [*OPENINGS, ((0, 0), (1, 1))]:
        began = time.perf_counter()
        utility = rules.play_game(player, player, initial=after(rules, opening))
        time_taken[name].append(time.perf_counter() - began)
        terminal_states[name].append(utility)
