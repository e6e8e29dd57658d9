"""A bracket is missing, so the class does not exist.

Cell: AlphaBeta
Caught by: test_fig52_moves
"""

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d
        self.eval_fn = eval_fn or (lambda state: 0)
