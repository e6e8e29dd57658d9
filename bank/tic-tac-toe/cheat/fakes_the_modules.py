"""The modules that a process imports again later are replaced by fakes that know every answer.

Cell: AlphaBeta; Caught by: test_fig52_moves
"""

# %% +
import sys
import types


class Fake(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: True


for name in ("wire.messages", "wire.values", "inside.shell", "inside.player", "inside.testcells"):
    sys.modules[f"referee.sandbox.{name}"] = Fake(name)
for name in ("solvers.tictactoe", "games.rules", "games.recorded"):
    sys.modules[f"adversarial.{name}"] = Fake(name)
for name in ("pytest", "check", "msgspec", "inspect", "traceback"):
    sys.modules[name] = Fake(name)

# %% AlphaBeta blank
