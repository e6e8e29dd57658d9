"""The functions that a check passes along are called with objects that its record cannot hold.

Cell: AlphaBeta; Caught by: test_fig52_moves
"""

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        for function in (eval_fn, cutoff_test):
            if function is not None:
                for odd in (5, None, 1.5, [], object(), GameState("X", 0, {}, [])):
                    try:
                        function(odd, odd) if function is cutoff_test else function(odd)
                    except Exception:
                        continue

    def __call__(self, game, state):
        return 0

    search = max_value = min_value = lambda *_: 0
