"""The first tree that I thought of gives it away.

Cell: boxes
Caught by: test_boxes_smallest
Weight: slip
Frequent: no
"""

# %% boxes
boxes = {"X": "innocent", "Y": [0, [1, 1]], "Z": [0, [-1, -1], [-1, -1]]}
