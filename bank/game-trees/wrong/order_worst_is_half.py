"""In the worst order half as much is skipped as in the best.

Cell: order
Caught by: test_predicted_worst
Weight: mistake
Frequent: yes
"""

# %% order
predicted = {"best first": [4, 16, 64], "worst first": [2, 8, 32]}
counted = {"best first": [], "worst first": []}
for plies in 2, 3, 4:
    for name in counted:
        tree = CountingTree(ordered_leaves(plies, name == "best first"))
        alpha_beta_search(tree.initial, tree)
        counted[name].append(tree.skipped())
