"""A leaf that stands there twice tells nothing new.

Cell: my_trees
Caught by: test_trees_30
Weight: void
Frequent: no
"""

# %% my_trees
n = sorted(numbers(student_id))
my_trees = [
    [[[n[6], [[[n[7], n[4]], n[9]], n[11]]], [n[8], n[10]]], n[7]],
    [[n[2], [n[1], [n[9], [n[5], n[8]]]]], n[11]],
]
