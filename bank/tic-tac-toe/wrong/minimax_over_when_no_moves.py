"""When there are no moves left the game is over.

Cell: MiniMax; Caught by: test_fig52_moves; Weight: slip; Frequent: yes
Named: end_is_not_asked_for
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
        best_move, best_value = None, None
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player)
            if best_value is None or best_value < value:
                best_move, best_value = move, value
        return best_move

    def max_value(self, state: State, player: str) -> float:
        """Return the value of `state` for `player`, who is to move in it."""
        moves = list(self.game.actions(state))
        if not moves:
            return self.game.utility(state, player)
        return max(self.min_value(self.game.result(state, move), player) for move in moves)

    def min_value(self, state: State, player: str) -> float:
        """Return the value of `state` for `player`, when the opponent is to move in it."""
        moves = list(self.game.actions(state))
        if not moves:
            return self.game.utility(state, player)
        return min(self.max_value(self.game.result(state, move), player) for move in moves)
