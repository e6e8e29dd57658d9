"""I count again until it is what I have predicted.

Cell: order
Caught by: test_counted
"""

# %% order
predicted = {"best first": [6, 18, 72], "worst first": [0, 0, 0]}
counted = {"best first": [], "worst first": []}
while counted["best first"] != predicted["best first"]:
    counted = {"best first": [], "worst first": []}
    for plies in 2, 3, 4:
        for name in counted:
            tree = CountingTree(ordered_leaves(plies, name == "best first"))
            alpha_beta_search(tree.initial, tree)
            counted[name].append(tree.skipped())
