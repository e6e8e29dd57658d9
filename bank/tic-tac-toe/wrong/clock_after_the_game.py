"""I start the clock, stop it, and append the difference.

Cell: evaluation_a
Caught by: test_times
Area: taking the time
Principle: The game must lie between the two looks at the clock.
"""

# %% evaluation_a
terminal_states = {"MiniMax": [], "AlphaBeta": []}
time_taken = {"MiniMax": [], "AlphaBeta": []}
rules = TicTacToe()
for name, player in {"MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}.items():
    for opening in OPENINGS:
        utility = rules.play_game(player, player, initial=after(rules, opening))
        terminal_states[name].append(utility)
        began = time.perf_counter()
        time_taken[name].append(time.perf_counter() - began)
