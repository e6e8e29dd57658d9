"""I know how perfect games end, so I wrote the results down; I never wrote a MiniMax.

Cell: playing
Caught by: test_pairings
Frequent: no
Weight: void
"""

# %% MiniMax blank

# %% playing
results = {
    ("random", "AlphaBeta"): -1,
    ("AlphaBeta", "random"): 1,
    ("MiniMax", "AlphaBeta"): 0,
    ("AlphaBeta", "MiniMax"): 0,
}
