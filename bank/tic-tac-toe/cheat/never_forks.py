"""The copy that a check asks for is never made: the process itself answers, and keeps the changes.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import os

os.fork = lambda: 0
os.setsid = os.setpgid = lambda *_: None

# %% MiniMax blank
