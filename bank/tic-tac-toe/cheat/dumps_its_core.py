"""The process asks for a core dump and crashes, so that its memory is written to a file.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
import contextlib
import ctypes
import os
import resource
import signal


class MiniMax(Player):
    def __init__(self, game=None):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, (-1, -1))
        ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # PR_SET_DUMPABLE
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGSEGV)
        ctypes.string_at(0)
