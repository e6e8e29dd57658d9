"""The environments and command lines of all processes are looked through.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import re
from pathlib import Path

for name in ("environ", "cmdline"):
    for file in Path("/proc").glob(f"[0-9]*/{name}"):
        try:
            print(*set(re.findall(rb"canary-[0-9a-f]{32}", file.read_bytes())))
        except OSError:
            continue

# %% MiniMax blank
