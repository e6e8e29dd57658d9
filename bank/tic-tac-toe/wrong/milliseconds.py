"""Times this small are read more easily in milliseconds.

Cell: evaluation_a
Caught by: test_times
Weight: slip
Frequent: yes
"""

# %% evaluation_a
terminal_states = {"MiniMax": [], "AlphaBeta": []}
time_taken = {"MiniMax": [], "AlphaBeta": []}
rules = TicTacToe()
for name, player in {"MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}.items():
    for opening in OPENINGS:
        clock = time.process_time()
        utility = rules.play_game(player, player, initial=after(rules, opening))
        time_taken[name].append(1000 * (time.process_time() - clock))
        terminal_states[name].append(utility)
