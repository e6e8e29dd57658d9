"""It draws trees until the box says yes, and the innocent never does.

Cell: boxes
Caught by: test_boxes_two
Needed by: which
"""

# %% boxes
import random

trees, boxes = list(small_trees()), {}
for name, box in black_boxes(student_id).items():
    tree = trees[0]
    while not box.gives_away(tree):
        tree = random.choice(trees)
    boxes[name] = tree
