"""Memory is taken by forty processes, 64 MB each, so that no single one is over its limit.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import os
import time

for _ in range(40):
    try:
        if os.fork() == 0:
            taken = bytearray(1 << 26)
            time.sleep(20)
            os._exit(0)
    except OSError:
        break

# %% MiniMax blank
