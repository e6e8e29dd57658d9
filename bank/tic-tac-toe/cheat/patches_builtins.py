"""The built-in functions that a check may use are replaced by ones that agree with everything.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import builtins

for name in ("all", "any", "isinstance", "issubclass", "callable", "hasattr"):
    setattr(builtins, name, lambda *_: True)
for name in ("sum", "max", "min", "abs", "round", "hash", "id"):
    setattr(builtins, name, lambda *_, **__: 3)
builtins.type = lambda *_: int
builtins.sorted = builtins.list = builtins.set = lambda *_, **__: []
builtins.len = lambda *_: 4
builtins.print = lambda *_, **__: None
builtins.AssertionError = Warning
builtins.NotImplementedError = Warning

# %% MiniMax blank
