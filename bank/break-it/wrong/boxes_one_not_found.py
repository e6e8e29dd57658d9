"""Of Z I have found nothing.

Cell: boxes
Caught by: test_boxes_three
Needed by: which
Weight: mistake
Frequent: no
"""

# %% boxes
boxes = {"X": "innocent", "Y": [0, [1, 1]], "Z": "innocent"}
