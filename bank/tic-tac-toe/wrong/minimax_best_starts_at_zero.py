"""Before anything is looked at the value is 0, like in every sum.

Cell: MiniMax
Caught by: test_values_on_boards
Frequent: yes
Behaves like: a search in which no state is worth less than 0 to who moves there
Area: where the comparison starts
Principle: A maximum starts from -infinity and a minimum from infinity, or from the first child.
Example: TreeGame([-3, -12, -8, -2], branching=2) with MAX to move: worth -8, by the move 1
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
        best = 0
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.min_value(new_state, player)
            if score > best:
                best = score
        return best

    def min_value(self, state, player):
        # is it over?
        if self.game.terminal_test(state) == True:
            return self.game.utility(state, player)
        worst = 0
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.max_value(new_state, player)
            if score < worst:
                worst = score
        return worst
