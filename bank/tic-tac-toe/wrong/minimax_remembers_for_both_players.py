"""A state has one value, so I remember it under the state alone.

Cell: MiniMax
Caught by: test_sweep
Behaves like: a search that remembers a value and later uses it for the other player
Area: what is kept from one search to the next
Principle: A value is a value for somebody: what is good for one player is bad for the other.
Example: winning for X in X O X / X . O / . . O is +1, and the same state is worth -1 to O
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game
        self.memory = {}

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
        key = str(state)
        if key in self.memory:
            return self.memory[key]
        # is it over?
        if self.game.terminal_test(state) == True:
            return self.game.utility(state, player)
        best = -infinity
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.min_value(new_state, player)
            if score > best:
                best = score
        self.memory[key] = best
        return best

    def min_value(self, state, player):
        key = str(state)
        if key in self.memory:
            return self.memory[key]
        # is it over?
        if self.game.terminal_test(state) == True:
            return self.game.utility(state, player)
        worst = infinity
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.max_value(new_state, player)
            if score < worst:
                worst = score
        self.memory[key] = worst
        return worst
