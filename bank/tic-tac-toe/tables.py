"""The tables that a right solution ends up with, so that an audit need not play the games.

The ten utilities are the values of the OPENINGS.
"""

# %% playing
results = {
    ("random", "AlphaBeta"): -1,
    ("AlphaBeta", "random"): 1,
    ("MiniMax", "AlphaBeta"): 0,
    ("AlphaBeta", "MiniMax"): 0,
}

# %% evaluation_a
terminal_states = {name: [1, 1, 0, 1, 0, 1, 0, 0, 0, 1] for name in ("MiniMax", "AlphaBeta")}
time_taken = {"MiniMax": [0.03] * 10, "AlphaBeta": [0.003] * 10}
