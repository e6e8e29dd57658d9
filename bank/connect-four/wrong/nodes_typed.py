"""The numbers of minimax are powers, more or less, and those of alphabeta are guessed.

Cell: nodes
Caught by: test_alphabeta_counts
Weight: void
Exception: The counts of minimax follow from the rules alone, and who finds them so has found them.
Frequent: no
"""


# %% nodes
start = after(ConnectFour(), [2, 0, 1, 3, 2, 2])
nodes = {1: (8, 8), 2: (57, 30), 3: (400, 130), 4: (2800, 400), 5: (19569, 1600), 6: (134825, 4900)}
