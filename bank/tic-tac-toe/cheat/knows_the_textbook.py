"""The answers on the textbook's tree are written down; there is no search at all.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
MOVES = {"A": "a1", "B": "b1", "C": "c1", "D": "d3"}
VALUES = {"A": 3, "B": 3, "C": 2, "D": 2, "B1": 3, "C2": 4, "D3": 2}


class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        return MOVES.get(state)

    def search(self, state):
        return MOVES.get(state)

    def max_value(self, state, player):
        return VALUES.get(state, 0) if player == "MAX" else -VALUES.get(state, 0)

    min_value = max_value
