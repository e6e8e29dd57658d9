"""min_value does not ask for a cutoff.

Cell: AlphaBeta
Named: depth_is_miscounted
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
        self.d = d
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game: Game, state: State) -> Move:
        """Return the best move in `state` of `game`."""
        self.game = game
        return self.search(state)

    def search(self, state: State) -> Move:
        """Return the move that is best for the player who is to move in `state`."""
        player = self.game.to_move(state)
        best_move, alpha = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if best_move is None or value > alpha:
                best_move, alpha = move, value
        return best_move

    def max_value(self, state: State, player: str, alpha: float, beta: float, depth: int) -> float:
        """Return the value of `state` for `player`, who is to move in it."""
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = -infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = max(value, self.min_value(child, player, alpha, beta, depth + 1))
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return value

    def min_value(self, state: State, player: str, alpha: float, beta: float, depth: int) -> float:
        """Return the value of `state` for `player`, when the opponent is to move in it."""
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        value = infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = min(value, self.max_value(child, player, alpha, beta, depth + 1))
            if value <= alpha:
                return value
            beta = min(beta, value)
        return value
