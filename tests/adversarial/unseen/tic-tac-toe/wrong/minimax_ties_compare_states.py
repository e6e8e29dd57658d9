"""max of tuples (value, state, move) takes the largest value by itself.

Cell: MiniMax
Named: compares_more_than_values
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
        player = self.game.to_move(state)
        candidates = []
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            candidates.append((self.min_value(child, player), child, move))
        value, child, move = max(candidates)
        return move

    def max_value(self, state: State, player: str) -> float:
        return self._value(state, player, True)

    def min_value(self, state: State, player: str) -> float:
        return self._value(state, player, False)

    def _value(self, state, player, maximising):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        values = [
            self._value(self.game.result(state, move), player, not maximising)
            for move in self.game.actions(state)
        ]
        return max(values) if maximising else min(values)
