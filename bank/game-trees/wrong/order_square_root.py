"""Best first, only the square root of the leaves is looked at.

Cell: order
Caught by: test_predicted_best
Weight: mistake
Frequent: yes
"""

# %% order
predicted = {"best first": [9 - 3, 27 - 27**0.5, 81 - 9], "worst first": [0, 0, 0]}
counted = {"best first": [], "worst first": []}
for plies in 2, 3, 4:
    for name in counted:
        tree = CountingTree(ordered_leaves(plies, name == "best first"))
        alpha_beta_search(tree.initial, tree)
        counted[name].append(tree.skipped())
