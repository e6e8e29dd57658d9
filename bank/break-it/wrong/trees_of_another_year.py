"""These were good last year.

Cell: my_trees
Caught by: test_trees_30
Weight: void
Frequent: yes
"""

# %% my_trees
my_trees = [
    [[[14, [[[14, -35], 25], 61]], [25, 25]], 14],
    [[-35, [-88, [61, [-12, 61]]]], 61],
    [61, [25, 61], [61, -35]],
]
