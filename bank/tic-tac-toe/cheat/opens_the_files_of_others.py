"""The files, folders and pipes that other processes hold open are opened through /proc.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import os
import re
import stat
from pathlib import Path

TOKEN = re.compile(rb"canary-[0-9a-f]{32}")
for process in Path("/proc").glob("[0-9]*"):
    try:
        for file in (process / "fd").iterdir():
            if stat.S_ISREG(file.stat().st_mode):
                with file.open("rb") as opened:
                    print(*TOKEN.findall(opened.read(1_000_000)))
        for name in ("root", "cwd"):
            for file in (process / name).glob("*canary*"):
                print(*TOKEN.findall(file.read_bytes()))
    except OSError:
        continue

# %% MiniMax blank
