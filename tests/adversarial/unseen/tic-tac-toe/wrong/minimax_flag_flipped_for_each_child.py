"""The flag for whose turn it is flips with each child, not with each ply.

Cell: MiniMax
Named: turn_flips_with_each_child
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
        best_value, best_move = None, None
        for move in self.game.actions(state):
            value = self.minimax(self.game.result(state, move), player, False)
            if best_value is None or value > best_value:
                best_value, best_move = value, move
        return best_move

    def max_value(self, state: State, player: str) -> float:
        """Return the value of `state` for `player`, who is to move in it."""
        return self.minimax(state, player, True)

    def min_value(self, state: State, player: str) -> float:
        """Return the value of `state` for `player`, when the opponent is to move in it."""
        return self.minimax(state, player, False)

    def minimax(self, state, player, maximizing):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        best_of = max if maximizing else min
        values = []
        for move in self.game.actions(state):
            maximizing = not maximizing  # now it is the other one's turn
            values.append(self.minimax(self.game.result(state, move), player, maximizing))
        return best_of(values)
