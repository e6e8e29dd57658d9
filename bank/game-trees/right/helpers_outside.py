"""The helpers stand in a cell of their own, with names and an order of parameters of their own."""

# %% +
def best_for_me(game, me, state):
    if game.terminal_test(state):
        return game.utility(state, me)
    return max(map(lambda move: worst_for_me(game, me, game.result(state, move)), game.actions(state)))


def worst_for_me(game, me, state):
    if game.terminal_test(state):
        return game.utility(state, me)
    return min(map(lambda move: best_for_me(game, me, game.result(state, move)), game.actions(state)))

# %% minmax_decision
def minmax_decision(state, game):
    me = game.to_move(state)
    scored = [
        (worst_for_me(game, me, game.result(state, move)), -number, move)
        for number, move in enumerate(game.actions(state))
    ]
    return sorted(scored)[-1][-1]
