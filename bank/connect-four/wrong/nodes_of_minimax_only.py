"""The counts of minimax, once for each of the two.

Cell: nodes
Caught by: test_alphabeta_counts
Weight: mistake
Frequent: yes
"""

# %% nodes
nodes = {1: (8, 8), 2: (57, 26), 3: (400, 123), 4: (2800, 385), 5: (19569, 1531), 6: (134825, 4700)}
nodes = {depth: (plain, plain) for depth, (plain, _) in nodes.items()}
