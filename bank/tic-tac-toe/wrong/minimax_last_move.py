"""At the end of the loop `move` is the move I want.

Cell: MiniMax
Caught by: test_win_in_one
Behaves like: a player that takes the last move on the list
Area: how the best move is found
Principle: The move must be the one of the highest value: remember it when you find it.
Example: X O X / X . O / . . O with X to move: (2, 0) wins at once
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
        return m

    def max_value(self, state, player):
        # is it over?
        if self.game.terminal_test(state) == True:
            return self.game.utility(state, player)
        best = -infinity
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
        worst = infinity
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.max_value(new_state, player)
            if score < worst:
                worst = score
        return worst
