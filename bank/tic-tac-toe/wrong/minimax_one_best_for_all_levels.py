"""The best value is kept in self.best, so that every function can use it.

Cell: MiniMax
Caught by: test_random_trees
Behaves like: a search in which all levels share one best value
Area: what one call keeps from the others
Principle: Each call has a best value of its own: make it a local variable.
Example: TreeGame([1, 2, 3, 4, 5, 6, 7, 8], branching=2) with MAX to move: worth 6, by the move 1
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        me = self.game.to_move(state)
        moves = []
        scores = []
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            moves.append(m)
            scores.append(self.min_value(new_state, me))
        return moves[scores.index(max(scores))]

    def max_value(self, state, player):
        # is it over?
        if self.game.terminal_test(state) == True:
            return self.game.utility(state, player)
        self.best = -infinity
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.min_value(new_state, player)
            if score > self.best:
                self.best = score
        return self.best

    def min_value(self, state, player):
        # is it over?
        if self.game.terminal_test(state) == True:
            return self.game.utility(state, player)
        worst = infinity
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.max_value(new_state, player)
            if score < worst:
                worst = score
        return worst
