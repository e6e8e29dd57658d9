"""Processes fork processes, thirty-one of them in all, each of which lives for a minute.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import os
import time

me = os.getpid()
for _ in range(5):
    try:
        os.fork()
    except OSError:
        break
if os.getpid() != me:
    os.setsid()
    time.sleep(60)
    os._exit(0)

# %% MiniMax blank
