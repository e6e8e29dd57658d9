"""Win if you can, block if you must, otherwise centre, corner, side. That never loses.

Cell: MiniMax
Caught by: test_win_in_two
Frequent: no
Weight: void
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        game, me = self.game, self.game.to_move(state)
        moves = list(game.actions(state))
        for move in moves:  # win
            child = game.result(state, move)
            if game.terminal_test(child) and game.utility(child, me) > 0:
                return move
        safe = []
        for move in moves:  # do not let the other one win
            child = game.result(state, move)
            after = [game.result(child, reply) for reply in game.actions(child)]
            if all(not game.terminal_test(s) or game.utility(s, me) >= 0 for s in after):
                safe.append(move)
        for move in [(1, 1), (0, 0), (0, 2), (2, 0), (2, 2)]:
            if move in safe:
                return move
        return (safe or moves)[0]

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return max(self.min_value(self.game.result(state, m), player) for m in self.game.actions(state))

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return min(self.max_value(self.game.result(state, m), player) for m in self.game.actions(state))
