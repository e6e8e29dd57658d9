"""Negamax with alpha and beta: only the sign of the value changes from ply to ply.

Cell: AlphaBeta
Named: window_upside_down
"""

# %% AlphaBeta
class AlphaBeta(Player):
    """Choose a move as MiniMax would, without looking at what cannot matter (negamax)."""

    def __init__(self, d: int = 4, game: Game | None = None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cut = (lambda _, depth: depth >= d) if cutoff_test is None else cutoff_test
        self.ev = (lambda _: 0) if eval_fn is None else eval_fn

    def __call__(self, game: Game, state: State) -> Move:
        self.game = game
        return self.search(state)

    def search(self, state: State) -> Move:
        me, best, alpha = self.game.to_move(state), None, -infinity
        for m in self.game.actions(state):
            v = self.min_value(self.game.result(state, m), me, alpha, infinity, 1)
            if best is None or v > alpha:
                best, alpha = m, v
        return best

    def max_value(self, state, player, alpha, beta, depth):
        return self._nega(state, player, alpha, beta, depth, 1)

    def min_value(self, state, player, alpha, beta, depth):
        return -self._nega(state, player, -beta, -alpha, depth, -1)

    def _nega(self, state, player, alpha, beta, depth, sign):
        """Value for the one who is to move; sign is 1 if that is `player`, else -1."""
        if self.game.terminal_test(state):
            return sign * self.game.utility(state, player)
        if self.cut(state, depth):
            return sign * self.ev(state)
        v = -infinity
        for m in self.game.actions(state):
            v = max(v, -self._nega(self.game.result(state, m), player, alpha, beta, depth + 1, -sign))
            alpha = max(alpha, v)
            if alpha >= beta:
                break
        return v
