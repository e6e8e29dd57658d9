"""I play one opening ten times, to get a good average of the time.

Cell: evaluation_a
Caught by: test_perfect_play
Frequent: yes
Weight: mistake
"""

# %% evaluation_a
terminal_states = {"MiniMax": [], "AlphaBeta": []}
time_taken = {"MiniMax": [], "AlphaBeta": []}
rules = TicTacToe()
for name, player in {"MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}.items():
    for opening in [OPENINGS[2]] * 10:
        began = time.perf_counter()
        utility = rules.play_game(player, player, initial=after(rules, opening))
        time_taken[name].append(time.perf_counter() - began)
        terminal_states[name].append(utility)
