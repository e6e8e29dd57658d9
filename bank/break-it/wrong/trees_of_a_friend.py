"""A friend and I have looked for the trees together.

Cell: my_trees
Caught by: test_trees_30
Weight: void
Frequent: yes
"""

# %% my_trees
a, b, c, d, e, f = sorted(numbers("kim"))[3:9]
my_trees = [[[[d, [[[d, b], e], f]], [e, e]], d], [[b, [a, [f, [c, f]]]], f], [f, [e, f], [f, b]]]
