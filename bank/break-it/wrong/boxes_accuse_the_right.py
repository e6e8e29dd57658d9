"""The third must be wrong as well; a larger tree will show it.

Cell: boxes
Caught by: test_boxes_two
Needed by: which
Weight: mistake
Frequent: no
"""

# %% boxes
# the reference solution
tree = [0, [1, [2, [3, [4, 5]]]], -1]
boxes = {name: tree if found == "innocent" else found for name, found in boxes.items()}
