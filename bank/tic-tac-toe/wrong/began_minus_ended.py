"""The time is the one before less the one after.

Cell: evaluation_a
Caught by: test_times
Area: taking the time
Principle: A duration is the time after less the time before.
"""

# %% evaluation_a
terminal_states = {"MiniMax": [], "AlphaBeta": []}
time_taken = {"MiniMax": [], "AlphaBeta": []}
rules = TicTacToe()
for name, player in {"MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}.items():
    for opening in OPENINGS:
        began = time.perf_counter()
        utility = rules.play_game(player, player, initial=after(rules, opening))
        time_taken[name].append(began - time.perf_counter())
        terminal_states[name].append(utility)
