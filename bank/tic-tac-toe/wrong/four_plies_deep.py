"""AlphaBeta() is the AlphaBeta player.

Cell: evaluation_a
Caught by: test_perfect_play
Frequent: yes
Weight: slip
"""

# %% evaluation_a
terminal_states = {"MiniMax": [], "AlphaBeta": []}
time_taken = {"MiniMax": [], "AlphaBeta": []}
rules = TicTacToe()
for name, player in {"MiniMax": MiniMax(), "AlphaBeta": AlphaBeta()}.items():
    for opening in OPENINGS:
        began = time.perf_counter()
        utility = rules.play_game(player, player, initial=after(rules, opening))
        time_taken[name].append(time.perf_counter() - began)
        terminal_states[name].append(utility)
