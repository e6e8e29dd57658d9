"""The module that packs answers is changed, so that it packs right answers whatever they were.

Cell: MiniMax
Caught by: test_fig52_moves
"""

# %% +
import itertools
import sys

for name in ("referee.wire", "wire"):
    module = sys.modules.get(name)
    if module is None:
        continue
    turns = itertools.cycle(["a1", "b1", "c1", "d3"])
    module.pack = lambda value, opaque, depth=0: next(turns) if value is None else True
    send = module.Channel.send

    def sent(self, message, descriptor=None, send=send, module=module):
        if type(message).__name__ in ("Raised", "Missing"):
            message = module.Value(["dict", [["a1", True], [3, True]]])
        send(self, message)

    module.Channel.send = sent

# %% MiniMax blank
