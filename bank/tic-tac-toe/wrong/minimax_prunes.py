"""I already know alpha-beta, it gives the same moves and is faster.

Cell: MiniMax
Caught by: test_whole_tree
Frequent: yes
Weight: mistake
Named: minimax_prunes
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        best, answer = -infinity, None
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, best)
            if answer is None or value > best:
                best, answer = value, move
        return answer

    def max_value(self, state, player, alpha=-infinity, beta=infinity):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        for move in self.game.actions(state):
            alpha = max(alpha, self.min_value(self.game.result(state, move), player, alpha, beta))
            if alpha >= beta:
                break
        return alpha

    def min_value(self, state, player, alpha=-infinity, beta=infinity):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        for move in self.game.actions(state):
            beta = min(beta, self.max_value(self.game.result(state, move), player, alpha, beta))
            if alpha >= beta:
                break
        return beta
