"""Good moves first prunes more, so I sort the children by their estimate.

Cell: AlphaBeta
Named: children_too_soon
"""

# %% AlphaBeta
class AlphaBeta(Player):
    """Choose a move as MiniMax would, without looking at what cannot matter."""

    def __init__(self, d: int = 4, game: Game | None = None, cutoff_test=None, eval_fn=None) -> None:
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game: Game, state: State) -> Move:
        self.game = game
        return self.search(state)

    def _children(self, state, best_first):
        """Pairs of move and state, the best for the one to move first."""
        pairs = [(m, self.game.result(state, m)) for m in self.game.actions(state)]
        return sorted(pairs, key=lambda pair: self.eval_fn(pair[1]), reverse=best_first)

    def search(self, state: State) -> Move:
        player = self.game.to_move(state)
        best, alpha = None, -infinity
        for move, child in self._children(state, True):
            value = self.min_value(child, player, alpha, infinity, 1)
            if best is None or value > alpha:
                best, alpha = move, value
        return best

    def max_value(self, state: State, player: str, alpha: float, beta: float, depth: int) -> float:
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = -infinity
        for _, child in self._children(state, True):
            value = max(value, self.min_value(child, player, alpha, beta, depth + 1))
            if value >= beta:
                break
            alpha = max(alpha, value)
        return value

    def min_value(self, state: State, player: str, alpha: float, beta: float, depth: int) -> float:
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = infinity
        for _, child in self._children(state, False):
            value = min(value, self.max_value(child, player, alpha, beta, depth + 1))
            if value <= alpha:
                break
            beta = min(beta, value)
        return value
