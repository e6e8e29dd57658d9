"""Every answer is a tuple in a tuple in a tuple, a hundred thousand levels deep.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
def deep():
    found = ()
    for _ in range(100_000):
        found = (found,)
    return found


class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        return deep()

    search = max_value = min_value = lambda *_: deep()
