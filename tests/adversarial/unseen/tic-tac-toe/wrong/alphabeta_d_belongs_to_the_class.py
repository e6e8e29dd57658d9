"""The depth is stored in the class and not in the player.

Cell: AlphaBeta
Named: players_share
"""


# %% AlphaBeta
class AlphaBeta(Player):
    """Choose a move as MiniMax would, without looking at what cannot matter."""

    limit = 4

    def __init__(
        self,
        d: int = 4,
        game: Game | None = None,
        cutoff_test: Callable[[State, int], bool] | None = None,
        eval_fn: Callable[[State], float] | None = None,
    ) -> None:
        """Store the game, and how far to look: d plies, unless there is a `cutoff_test`."""
        self.game = game
        AlphaBeta.limit = d
        self.given_test = cutoff_test
        self.given_eval = eval_fn

    def __call__(self, game: Game, state: State) -> Move:
        """Return the best move in `state` of `game`."""
        self.game = game
        return self.search(state)

    def children(self, state: State):
        """Yield each move and the state that it leads to, one at a time."""
        for move in self.game.actions(state):
            yield move, self.game.result(state, move)

    def stops(self, state: State, depth: int) -> bool:
        if self.given_test is not None:
            return self.given_test(state, depth)
        return depth >= AlphaBeta.limit

    def guess(self, state: State) -> float:
        return self.given_eval(state) if self.given_eval is not None else 0

    def search(self, state: State) -> Move:
        """Return the move that is best for the player who is to move in `state`."""
        player = self.game.to_move(state)
        alpha, best = -infinity, None
        for move, child in self.children(state):
            value = self.min_value(child, player, alpha, infinity, 1)
            if best is None or value > alpha:
                best = move
                alpha = value
        return best

    def max_value(self, state: State, player: str, alpha: float, beta: float, depth: int) -> float:
        """Return the value of `state` for `player`, who is to move in it.

        It is exact if it lies between alpha and beta; otherwise it only tells on which side.
        """
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.stops(state, depth):
            return self.guess(state)
        best = -infinity
        for _, child in self.children(state):
            best = max(best, self.min_value(child, player, alpha, beta, depth + 1))
            if best >= beta:
                return best
            alpha = max(alpha, best)
        return best

    def min_value(self, state: State, player: str, alpha: float, beta: float, depth: int) -> float:
        """Return the value of `state` for `player`, when the opponent is to move in it.

        It is exact if it lies between alpha and beta; otherwise it only tells on which side.
        """
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.stops(state, depth):
            return self.guess(state)
        best = infinity
        for _, child in self.children(state):
            best = min(best, self.max_value(child, player, alpha, beta, depth + 1))
            if best <= alpha:
                return best
            beta = min(beta, best)
        return best
