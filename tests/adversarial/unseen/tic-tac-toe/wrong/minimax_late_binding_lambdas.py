"""Lambdas made in a loop all see the last child.

Cell: MiniMax
Named: last_child_for_all
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
        player = self.game.to_move(state)
        options = []
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            options.append((move, lambda: self.min_value(child, player)))
        return max(options, key=lambda option: option[1]())[0]

    def max_value(self, state: State, player: str) -> float:
        """Return the value of `state` for `player`, who is to move in it."""
        game = self.game
        if game.terminal_test(state):
            return game.utility(state, player)
        return max(map(lambda m: self.min_value(game.result(state, m), player), game.actions(state)))

    def min_value(self, state: State, player: str) -> float:
        """Return the value of `state` for `player`, when the opponent is to move in it."""
        game = self.game
        if game.terminal_test(state):
            return game.utility(state, player)
        return min(map(lambda m: self.max_value(game.result(state, m), player), game.actions(state)))
