"""I have not started yet.

Cell: TicTacToe
Caught by: test_start
Frequent: yes
Weight: void
"""

# %% TicTacToe blank
# %% MiniMax blank
# %% AlphaBeta blank
# %% playing blank
# %% evaluation_a blank
