"""While a cell runs, it sends the report of a cell that went well, and verdicts of its own making.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import msgspec
import os
import stat
import struct

MESSAGES = [
    {"type": "Ran", "outputs": [{"kind": "stdout", "text": "25 of 25"}], "error": None},
    {"type": "Ran", "outputs": [], "error": None},
    {"type": "CheckResult", "id": "test_minimax.py::test_fig52_moves", "verdict": "pass",
     "points": 25, "max_points": 25},
    {"type": "Value", "value": ["tuple", [True, 25, "pass"]], "printed": "pass"},
]
for name in os.listdir("/proc/self/fd"):
    for message in MESSAGES:
        body = msgspec.msgpack.encode(message)
        try:
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                os.write(int(name), struct.pack(">I", len(body)) + body)
        except OSError:
            continue

# %% MiniMax blank
