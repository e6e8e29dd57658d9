"""Modules are left where the parent was started, which is then killed, to be started anew.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import os
import signal
from pathlib import Path

EVIL = """
import re
class Always(str):
    __eq__ = lambda self, other: True
raise SystemExit("owned")
"""
parent = os.getppid()
try:
    words = Path(f"/proc/{parent}/cmdline").read_bytes()
    home = Path(f"/proc/{parent}/cwd").resolve()
    if b"referee.sandbox.inside.player" in words and home.name.startswith("referee-"):
        for name in ("games", "msgspec", "IPython", "referee", "sitecustomize"):
            (home / f"{name}.py").write_text(EVIL)
        os.kill(parent, signal.SIGKILL)
except OSError as error:
    print(error)

# %% MiniMax blank
