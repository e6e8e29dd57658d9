"""A tree like figure 5.2, with my numbers, is what one tests a search with.

Cell: my_trees
Caught by: test_trees_30
Weight: void
Frequent: no
"""

# %% my_trees
n = sorted(numbers(student_id))
my_trees = [[[n[6], n[10], n[9]], [n[5], n[7], n[8]], [n[11], n[8], n[5]]]]
