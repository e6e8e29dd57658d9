"""Of one I have found nothing.

Cell: boxes
Caught by: test_boxes_three
Needed by: which
Weight: mistake
Frequent: no
"""

# %% boxes
# the reference solution
guilty = [name for name, tree in boxes.items() if tree != "innocent"]
boxes[guilty[-1]] = "innocent"
