"""Each call of result is a state.

Cell: nodes
Caught by: test_pairs
Weight: slip
Frequent: yes
"""

# %% nodes
nodes = {1: (8, 8), 2: (57, 26), 3: (400, 123), 4: (2800, 385), 5: (19569, 1531), 6: (134825, 4700)}
nodes = {depth: (plain - 1, pruned - 1) for depth, (plain, pruned) in nodes.items()}
