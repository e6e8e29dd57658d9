"""alphabeta first, then minimax.

Cell: nodes
Caught by: test_pairs
Weight: slip
Frequent: yes
"""

# %% nodes
nodes = {1: (8, 8), 2: (57, 26), 3: (400, 123), 4: (2800, 385), 5: (19569, 1531), 6: (134825, 4700)}
nodes = {depth: pair[::-1] for depth, pair in nodes.items()}
