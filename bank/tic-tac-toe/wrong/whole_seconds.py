"""I round the times to seconds.

Cell: evaluation_a
Caught by: test_times
Area: the precision of a time
Principle: A game takes far less than a second: keep the time as it was measured.
"""

# %% evaluation_a
terminal_states = {"MiniMax": [], "AlphaBeta": []}
time_taken = {"MiniMax": [], "AlphaBeta": []}
rules = TicTacToe()
for name, player in {"MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}.items():
    for opening in OPENINGS:
        began = time.perf_counter()
        utility = rules.play_game(player, player, initial=after(rules, opening))
        time_taken[name].append(round(time.perf_counter() - began))
        terminal_states[name].append(utility)
