"""The suspects are made anew: each is innocent by now.

Cell: boxes; Caught by: test_boxes_two; Needed by: which
"""

# %% boxes
# the reference solution
import suspects

suspects.Box.gives_away = lambda self, tree: True
suspects.black_boxes = lambda student_id: {}
boxes = {"X": [0, 1], "Y": [0, 1], "Z": [0, 1]}
