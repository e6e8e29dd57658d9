"""I have not started yet.

Caught by test_start.
"""

# %% TicTacToe blank
# %% MiniMax blank
# %% AlphaBeta blank
# %% playing blank
# %% evaluation_a blank
