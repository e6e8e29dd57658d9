"""I begin with the large trees, for they show more.

Cell: boxes
Caught by: test_boxes_smallest
Weight: slip
Frequent: no
"""

# %% boxes
# the reference solution
boxes = {
    name: next((tree for tree in [*small_trees()][::-1] if box.gives_away(tree)), "innocent")
    for name, box in black_boxes(student_id).items()
}
