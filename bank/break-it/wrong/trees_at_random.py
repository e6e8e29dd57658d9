"""Twenty leaves drawn from my numbers will meet all that can happen.

Cell: my_trees
Caught by: test_trees_30
Weight: void
Frequent: no
"""

# %% my_trees
import random

draw = random.Random(7)


def tree(leaves):
    if leaves == 1:
        return draw.choice(numbers(student_id))
    left = draw.randint(1, leaves - 1)
    return [tree(left), tree(leaves - left)]


my_trees = [tree(5) for _ in range(4)]
