"""A shell is started in the background, with a session, an environment and files of its own.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import subprocess

subprocess.Popen(
    ["/bin/sh", "-c", "trap '' HUP INT TERM; for i in 1 2 3 4 5 6; do sleep 10; done"],
    start_new_session=True, env={}, cwd="/", close_fds=True,
    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
)  # fmt: skip

# %% MiniMax blank
