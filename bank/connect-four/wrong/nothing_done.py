"""Nothing has been done.

Cell: alphabeta
Caught by: test_values
Weight: void
Frequent: yes
"""

# %% generate_segments blank

# %% evaluate blank

# %% top_pieces blank

# %% tree_size blank

# %% minimax blank

# %% alphabeta blank

# %% find_best_move blank

# %% nodes blank
