"""What is to happen at the end of the process is registered: a loop, and files to be written.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import atexit
import os
import signal
import time
import weakref


def last_words(*_):
    end = time.time() + 60
    while time.time() < end:
        with open("owned", "a") as file:
            file.write("owned")
        time.sleep(1)


class Late:
    def __del__(self):
        last_words()


late = Late()
atexit.register(last_words)
weakref.finalize(late, last_words)
os.register_at_fork(after_in_parent=lambda: None, after_in_child=lambda: None)
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGUSR1, signal.SIGCHLD):
    signal.signal(number, last_words)

# %% MiniMax blank
