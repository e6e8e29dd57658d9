"""Without an eval_fn I take the utility of the state, which is 0 as long as nobody has won.

Cell: AlphaBeta
Named: end_is_not_asked_for
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
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= self.d)
        self.eval_fn = eval_fn

    def __call__(self, game: Game, state: State) -> Move:
        """Return the best move in `state` of `game`."""
        self.game = game
        return self.search(state)

    def search(self, state: State) -> Move:
        """Return the move that is best for the player who is to move in `state`."""
        player = self.game.to_move(state)
        best_score, best_action = None, None
        for action in self.game.actions(state):
            alpha = -infinity if best_score is None else best_score
            score = self.min_value(self.game.result(state, action), player, alpha, infinity, 1)
            if best_score is None or score > best_score:
                best_score, best_action = score, action
        return best_action

    def end_value(self, state, player):
        if self.game.terminal_test(state) or self.eval_fn is None:
            return self.game.utility(state, player)
        return self.eval_fn(state)

    def max_value(self, state: State, player: str, alpha: float, beta: float, depth: int) -> float:
        """Return the value of `state` for `player`, who is to move in it."""
        if self.game.terminal_test(state) or self.cutoff_test(state, depth):
            return self.end_value(state, player)
        score = -infinity
        for action in self.game.actions(state):
            score = max(score, self.min_value(self.game.result(state, action), player,
                                              alpha, beta, depth + 1))
            alpha = max(alpha, score)
            if score >= beta:
                break
        return score

    def min_value(self, state: State, player: str, alpha: float, beta: float, depth: int) -> float:
        """Return the value of `state` for `player`, when the opponent is to move in it."""
        if self.game.terminal_test(state) or self.cutoff_test(state, depth):
            return self.end_value(state, player)
        score = infinity
        for action in self.game.actions(state):
            score = min(score, self.max_value(self.game.result(state, action), player,
                                              alpha, beta, depth + 1))
            beta = min(beta, score)
            if score <= alpha:
                break
        return score
