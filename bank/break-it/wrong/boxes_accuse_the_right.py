"""X must be wrong as well; a larger tree will show it.

Cell: boxes
Caught by: test_boxes_two
Needed by: which
Weight: mistake
Frequent: no
"""

# %% boxes
boxes = {"X": [0, [1, [2, [3, [4, 5]]]], -1], "Y": [0, [1, 1]], "Z": [0, [-1, -1]]}
