"""The depth is an attribute that is not counted back after pruning.

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
        self.depth = 0

    def __call__(self, game: Game, state: State) -> Move:
        """Return the best move in `state` of `game`."""
        self.game = game
        return self.search(state)

    def search(self, state: State) -> Move:
        """Return the move that is best for the player who is to move in `state`."""
        player = self.game.to_move(state)
        self.depth = 1
        best_move, alpha = None, -infinity
        for move in self.game.actions(state):
            v = self.min_value(self.game.result(state, move), player, alpha, infinity, self.depth)
            if best_move is None or v > alpha:
                best_move, alpha = move, v
        return best_move

    def max_value(self, state: State, player: str, alpha: float, beta: float, depth: int) -> float:
        """Return the value of `state` for `player`, who is to move in it."""
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, self.depth):
            return self.eval_fn(state)
        v = -infinity
        self.depth += 1
        for move in self.game.actions(state):
            v = max(v, self.min_value(self.game.result(state, move), player, alpha, beta, self.depth))
            if v >= beta:
                return v
            alpha = max(alpha, v)
        self.depth -= 1
        return v

    def min_value(self, state: State, player: str, alpha: float, beta: float, depth: int) -> float:
        """Return the value of `state` for `player`, when the opponent is to move in it."""
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, self.depth):
            return self.eval_fn(state)
        v = infinity
        self.depth += 1
        for move in self.game.actions(state):
            v = min(v, self.max_value(self.game.result(state, move), player, alpha, beta, self.depth))
            if v <= alpha:
                return v
            beta = min(beta, v)
        self.depth -= 1
        return v
