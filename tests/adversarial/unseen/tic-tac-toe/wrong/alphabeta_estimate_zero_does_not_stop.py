"""An estimate of 0 is taken for no estimate.

Cell: AlphaBeta
Named: zero_counts_as_none
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
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or self.mobility

    def __call__(self, game: Game, state: State) -> Move:
        """Return the best move in `state` of `game`."""
        self.game = game
        return self.search(state)

    def mobility(self, state: State) -> float:
        """Estimate a state by the number of moves in it: many moves, many chances."""
        return 0.01 * len(list(self.game.actions(state)))

    def estimate(self, state: State, depth: int) -> float | None:
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        return None

    def search(self, state: State) -> Move:
        """Return the move that is best for the player who is to move in `state`."""
        player = self.game.to_move(state)
        best_value, best_move = -infinity, None
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, best_value, infinity, 1)
            if best_move is None or value > best_value:
                best_value, best_move = value, move
        return best_move

    def max_value(self, state: State, player: str, alpha: float, beta: float, depth: int) -> float:
        """Return the value of `state` for `player`, who is to move in it.

        It is exact if it lies between alpha and beta; otherwise it only tells on which side.
        """
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if estimate := self.estimate(state, depth):
            return estimate
        value = -infinity
        for move in self.game.actions(state):
            new = self.min_value(self.game.result(state, move), player, alpha, beta, depth + 1)
            value = max(value, new)
            if value >= beta:
                break
            alpha = max(alpha, value)
        return value

    def min_value(self, state: State, player: str, alpha: float, beta: float, depth: int) -> float:
        """Return the value of `state` for `player`, when the opponent is to move in it.

        It is exact if it lies between alpha and beta; otherwise it only tells on which side.
        """
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if estimate := self.estimate(state, depth):
            return estimate
        value = infinity
        for move in self.game.actions(state):
            new = self.max_value(self.game.result(state, move), player, alpha, beta, depth + 1)
            value = min(value, new)
            if value <= alpha:
                break
            beta = min(beta, value)
        return value
