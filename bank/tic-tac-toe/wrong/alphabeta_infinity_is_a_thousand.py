"""No game has values beyond 1000, so that is my infinity.

Cell: AlphaBeta
Caught by: test_random_trees
Frequent: yes
Weight: slip
Named: starts_from_a_wrong_number
"""


# %% AlphaBeta
class AlphaBeta(Player):
    """Alpha-beta with a depth limit."""

    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.d = d
        self.game = game
        self.cutoff_test = self.deep_enough if cutoff_test is None else cutoff_test
        self.eval_fn = self.estimate if eval_fn is None else eval_fn

    def deep_enough(self, state, depth):
        return depth >= self.d

    def estimate(self, state):
        return 0

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        me = self.game.to_move(state)
        best_score = -1000
        best_move = None
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.min_value(new_state, me, best_score, 1000, 1)
            if best_move is None or score > best_score:
                best_score = score
                best_move = m
        return best_move

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        best = -1000
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.min_value(new_state, player, alpha, beta, depth + 1)
            if score > best:
                best = score
            if best > alpha:
                alpha = best
            if beta <= alpha:
                break  # MIN will not let it come to this
        return best

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        worst = 1000
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.max_value(new_state, player, alpha, beta, depth + 1)
            if score < worst:
                worst = score
            if worst < beta:
                beta = worst
            if beta <= alpha:
                break  # MAX has something better
        return worst
