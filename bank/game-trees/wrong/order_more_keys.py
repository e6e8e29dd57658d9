"""The tree of figure 5.2 has a row in my table as well.

Cell: order
Caught by: test_predicted_best, test_predicted_worst
Weight: slip
Frequent: no
"""

# %% order
predicted = {"best first": [4, 16, 64], "worst first": [0, 0, 0], "figure": [2]}
counted = {"best first": [], "worst first": []}
for plies in 2, 3, 4:
    for name in counted:
        tree = CountingTree(ordered_leaves(plies, name == "best first"))
        alpha_beta_search(tree.initial, tree)
        counted[name].append(tree.skipped())
