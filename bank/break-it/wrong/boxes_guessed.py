"""Some trees, as they come to mind.

Cell: boxes
Caught by: test_boxes_two
Needed by: which
Weight: void
Frequent: no
"""

# %% boxes
# the reference solution
boxes = {"X": [1, 0], "Y": "innocent", "Z": [0, 1]}
