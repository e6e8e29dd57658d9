"""The tree is built level by level, and only the last level is valued.

Cell: MiniMax
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
        best_move, best_value = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player)
            if best_move is None or value > best_value:
                best_move, best_value = move, value
        return best_move

    def max_value(self, state: State, player: str) -> float:
        """Return the value of `state` for `player`, who is to move in it."""
        return self.by_levels(state, player, (max, min))

    def min_value(self, state: State, player: str) -> float:
        """Return the value of `state` for `player`, when the opponent is to move in it."""
        return self.by_levels(state, player, (min, max))

    def by_levels(self, state, player, choosers):
        level, counts = [state], []
        while not all(self.game.terminal_test(s) for s in level):
            below, numbers = [], []
            for s in level:
                children = []
                if not self.game.terminal_test(s):
                    children = [self.game.result(s, a) for a in self.game.actions(s)]
                below.extend(children)
                numbers.append(len(children))
            counts.append(numbers)
            level = below
        values = [self.game.utility(s, player) for s in level]
        for depth in range(len(counts) - 1, -1, -1):
            choose, rest = choosers[depth % 2], iter(values)
            values = [choose([next(rest) for _ in range(n)], default=0) for n in counts[depth]]
        return values[0]
