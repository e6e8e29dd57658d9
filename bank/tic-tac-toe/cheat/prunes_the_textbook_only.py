"""Moves, values and pruning of the textbook's tree are written down; elsewhere nothing is done.

Cell: AlphaBeta; Caught by: test_fig52_moves, test_fig52_values
"""

# %% AlphaBeta
MOVES = {"A": "a1", "B": "b1", "C": "c1", "D": "d3"}
VALUES = {"A": 3, "B": 3, "C": 2, "D": 2, "B1": 3, "C2": 4, "D3": 2}
SEEN = {"A": ["a1", "a2", "a3"], "B": ["b1", "b2", "b3"], "C": ["c1"], "D": ["d1", "d2", "d3"]}


class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        for move in SEEN.get(state, []):
            child = self.game.result(state, move)
            for reply in SEEN.get(child, []):
                self.game.result(child, reply)
        return MOVES.get(state)

    def max_value(self, state, player, alpha, beta, depth):
        return VALUES.get(state, 0) if player == "MAX" else -VALUES.get(state, 0)

    min_value = max_value
