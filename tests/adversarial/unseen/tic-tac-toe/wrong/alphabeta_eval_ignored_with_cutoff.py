"""There are three ways to set it up: with a cutoff_test, with an eval_fn, or with d only.

Cell: AlphaBeta
Named: estimate_is_changed
"""

# %% AlphaBeta
class AlphaBeta(Player):
    """Choose a move as MiniMax would, without looking at what cannot matter."""

    def __init__(
        self,
        d: int = 4,
        game: Game | None = None,
        cutoff_test: Callable[[State, int], bool] | None = None,
        eval_fn: Callable[[State], float] | None = None,
    ) -> None:
        """Store the game, and how far to look: d plies, unless there is a `cutoff_test`."""
        self.game = game
        def depth_reached(state, depth):
            return depth >= d

        def unknown(state):
            return 0

        self.cutoff_test = depth_reached
        self.eval_fn = unknown
        if cutoff_test is not None:
            self.cutoff_test = cutoff_test
        elif eval_fn is not None:
            self.eval_fn = eval_fn

    def __call__(self, game: Game, state: State) -> Move:
        """Return the best move in `state` of `game`."""
        self.game = game
        return self.search(state)

    def search(self, state: State) -> Move:
        """Return the move that is best for the player who is to move in `state`."""
        game, player = self.game, self.game.to_move(state)
        window = [-infinity, infinity]
        best = None
        for a in game.actions(state):
            v = self.min_value(game.result(state, a), player, *window, 1)
            if best is None or v > window[0]:
                best = a
                window[0] = v
        return best

    def max_value(self, state: State, player: str, alpha: float, beta: float, depth: int) -> float:
        """Return the value of `state` for `player`, who is to move in it."""
        game = self.game
        if game.terminal_test(state):
            return game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        v = -infinity
        actions = iter(game.actions(state))
        while v < beta and (a := next(actions, None)) is not None:
            v = max(v, self.min_value(game.result(state, a), player, max(alpha, v), beta, depth + 1))
        return v

    def min_value(self, state: State, player: str, alpha: float, beta: float, depth: int) -> float:
        """Return the value of `state` for `player`, when the opponent is to move in it."""
        game = self.game
        if game.terminal_test(state):
            return game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        v = infinity
        actions = iter(game.actions(state))
        while v > alpha and (a := next(actions, None)) is not None:
            v = min(v, self.max_value(game.result(state, a), player, alpha, min(beta, v), depth + 1))
        return v
