"""The tables hold integers too large for a float, so that a check of them may break down.

Cell: evaluation_a; Caught by: test_ten_games
"""

# %% evaluation_a
terminal_states = {name: [10**400] * 10 for name in ("MiniMax", "AlphaBeta")}
time_taken = {name: [10**1200] * 10 for name in ("MiniMax", "AlphaBeta")}
