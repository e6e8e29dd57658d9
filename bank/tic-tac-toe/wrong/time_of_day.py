"""time.time() tells the time, and I append it after each game.

Cell: evaluation_a
Caught by: test_times
Frequent: yes
Weight: slip
"""

# %% evaluation_a
terminal_states = {"MiniMax": [], "AlphaBeta": []}
time_taken = {"MiniMax": [], "AlphaBeta": []}
rules = TicTacToe()
for name, player in {"MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}.items():
    for opening in OPENINGS:
        utility = rules.play_game(player, player, initial=after(rules, opening))
        time_taken[name].append(time.time())
        terminal_states[name].append(utility)
