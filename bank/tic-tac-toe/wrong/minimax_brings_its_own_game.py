"""This is tic-tac-toe, so the player makes a TicTacToe() for itself.

Cell: MiniMax
Caught by: test_fig52_moves
Frequent: yes
Weight: mistake
Named: one_game_only
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = TicTacToe()

    def __call__(self, game, state):
        self.game = TicTacToe()
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
