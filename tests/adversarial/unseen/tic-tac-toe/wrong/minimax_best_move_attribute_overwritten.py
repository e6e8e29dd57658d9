"""The best move is kept in an attribute that every level writes to.

Cell: MiniMax
Named: choice_is_wrong
"""


# %% MiniMax
class MiniMax(Player):
    """Choose a move by looking at every continuation to the end of the game."""

    def __init__(self, game: Game | None = None) -> None:
        """Store the game, if one is given."""
        self.game = game

    def __call__(self, game: Game, state: State) -> Move:
        """Return the best move in `state` of `game`."""
        self.game = game
        return self.search(state)

    def search(self, state: State) -> Move:
        """Return the move that is best for the player who is to move in `state`."""
        self.best_move = None
        self.max_value(state, self.game.to_move(state))
        return self.best_move

    def max_value(self, state: State, player: str) -> float:
        """Return the value of `state` for `player`, who is to move in it."""
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        best = -infinity
        for move in self.game.actions(state):
            v = self.min_value(self.game.result(state, move), player)
            if v > best:
                best = v
                self.best_move = move
        return best

    def min_value(self, state: State, player: str) -> float:
        """Return the value of `state` for `player`, when the opponent is to move in it."""
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        worst = infinity
        for move in self.game.actions(state):
            v = self.max_value(self.game.result(state, move), player)
            if v < worst:
                worst = v
        return worst
