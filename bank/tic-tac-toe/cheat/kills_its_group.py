"""The process group and the session are killed and stopped, whoever else may belong to them.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import os
import signal

os.killpg(0, signal.SIGTERM)

# %% +
os.kill(0, signal.SIGSTOP)

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        os.killpg(0, signal.SIGKILL)
