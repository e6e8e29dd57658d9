"""I compute, and take the largest of a number.

Cell: my_tree
Caught by: test_my_value
"""

# %% my_tree
leaves = personal_leaves(student_id)
my_nine = [max(leaves[i : i + 3]) for i in range(0, 27, 3)]
my_three = [min(value) for value in my_nine]
