"""One function for both players, as a sign changes."""


# %% MiniMax
class MiniMax:
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        mover = game.to_move(state)

        def worth(state):
            if game.terminal_test(state):
                return game.utility(state, mover)
            sign = 1 if game.to_move(state) == mover else -1
            return sign * max(sign * worth(game.result(state, m)) for m in game.actions(state))

        return max(game.actions(state), key=lambda move: worth(game.result(state, move)))
