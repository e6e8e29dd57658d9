"""Values are listed for the moves in ascending order, and looked up in the order of the game.

Cell: MiniMax; Caught by: test_fig52_moves; Weight: slip; Frequent: yes; Named: order_of_moves
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
        moves = list(self.game.actions(state))
        values = []
        for move in sorted(moves):
            values.append(self.min_value(self.game.result(state, move), player))
        return moves[values.index(max(values))]

    def max_value(self, state: State, player: str) -> float:
        """Return the value of `state` for `player`, who is to move in it."""
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        values = []
        for move in self.game.actions(state):
            values.append(self.min_value(self.game.result(state, move), player))
        return max(values)

    def min_value(self, state: State, player: str) -> float:
        """Return the value of `state` for `player`, when the opponent is to move in it."""
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        values = []
        for move in self.game.actions(state):
            values.append(self.max_value(self.game.result(state, move), player))
        return min(values)
