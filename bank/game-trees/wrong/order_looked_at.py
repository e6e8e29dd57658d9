"""I predict and count the leaves that are looked at.

Cell: order
Caught by: test_predicted_best, test_predicted_worst, test_counted
Weight: mistake
Frequent: yes
"""

# %% order
predicted = {"best first": [5, 11, 17], "worst first": [9, 27, 81]}
counted = {"best first": [], "worst first": []}
for plies in 2, 3, 4:
    for name in counted:
        tree = CountingTree(ordered_leaves(plies, name == "best first"))
        alpha_beta_search(tree.initial, tree)
        counted[name].append(len(tree.seen))
