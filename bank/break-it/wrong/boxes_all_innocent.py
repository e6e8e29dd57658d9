"""None of them looks guilty.

Cell: boxes
Caught by: test_boxes_two
Needed by: which
Weight: void
Frequent: no
"""

# %% boxes
# the reference solution
boxes = dict.fromkeys("XYZ", "innocent")
