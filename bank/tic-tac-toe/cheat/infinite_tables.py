"""The tables of the games hold infinities and NaN, which are neither too large nor too small.

Cell: evaluation_a; Caught by: test_ten_games
"""

# %% evaluation_a
terminal_states = {name: [float("nan")] * 10 for name in ("MiniMax", "AlphaBeta")}
time_taken = {name: [infinity] * 10 for name in ("MiniMax", "AlphaBeta")}
