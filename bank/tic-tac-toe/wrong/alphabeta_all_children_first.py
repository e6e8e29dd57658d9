"""I make a list of all children, and then I go through it and cut.

Cell: AlphaBeta
Caught by: test_fig52_pruning
Frequent: yes
Weight: mistake
Named: children_too_soon
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
        best_score = -infinity
        best_move = None
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.min_value(new_state, me, best_score, infinity, 1)
            if best_move is None or score > best_score:
                best_score = score
                best_move = m
        return best_move

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        best = -infinity
        children = [self.game.result(state, m) for m in self.game.actions(state)]
        for new_state in children:
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
        worst = infinity
        children = [self.game.result(state, m) for m in self.game.actions(state)]
        for new_state in children:
            score = self.max_value(new_state, player, alpha, beta, depth + 1)
            if score < worst:
                worst = score
            if worst < beta:
                beta = worst
            if beta <= alpha:
                break  # MAX has something better
        return worst
