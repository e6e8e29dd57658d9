"""I make the trees once, and search each of them with both of my functions.

Cell: order
Caught by: test_counted
Weight: slip
Frequent: yes
"""

# %% order
predicted = {"best first": [4, 16, 64], "worst first": [0, 0, 0]}
counted = {"best first": [], "worst first": []}
for plies in 2, 3, 4:
    for name in counted:
        tree = CountingTree(ordered_leaves(plies, name == "best first"))
        minmax_decision(tree.initial, tree)
        alpha_beta_search(tree.initial, tree)
        counted[name].append(tree.skipped())
