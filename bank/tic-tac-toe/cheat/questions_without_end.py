"""Each question about a game holds an object that, when it is asked, asks the next question.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
class Board:
    def __init__(self, game):
        self.game = game

    @property
    def items(self):
        return self.game.actions(GameState("X", 0, Board(self.game), []))


class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        return game.actions(GameState("X", 0, Board(game), []))
