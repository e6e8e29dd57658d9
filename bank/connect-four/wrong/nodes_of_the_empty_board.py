"""I count from the empty board.

Cell: nodes
Caught by: test_minimax_counts
Weight: mistake
Frequent: yes
"""

# %% nodes
nodes = {1: (8, 8), 2: (57, 21), 3: (400, 83), 4: (2801, 275), 5: (19608, 1130), 6: (137257, 3800)}
