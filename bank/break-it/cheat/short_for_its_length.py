"""The lists say that they are short, and are long; each look at them gives another.

Cell: boxes; Caught by: test_boxes_two; Needed by: which
"""

# %% boxes
# the reference solution
class Tree(list):
    looks = 0

    def __len__(self):
        return 3

    def __iter__(self):
        Tree.looks += 1
        return iter([Tree.looks % 3 - 1, [1, -1, 0]])


boxes = {name: Tree(range(1000)) for name in "XYZ"}
