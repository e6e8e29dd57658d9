"""The referee is asked about its game without end, and never gets an answer.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        while True:
            try:
                game.actions(state)
                game.result(state, "no move")
            except ValueError:
                continue
