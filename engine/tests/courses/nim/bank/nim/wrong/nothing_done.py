"""I have not started yet.

Cell: Nim
Caught by: test_start
Frequent: yes
"""

# %% Nim blank
# %% MiniMax blank
# %% AlphaBeta blank
# %% playing blank
# %% evaluation_a blank
