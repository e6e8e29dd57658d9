"""Everything is right, and everything is printed on the way."""

# %% my_tree
def show(*words):
    print(*words)
    return words[-1]


rows = [personal_leaves(student_id)[i : i + 3] for i in range(0, 27, 3)]
my_nine = [show(row, "->", max(row)) for row in rows]
my_three = [show("MIN", i, min(my_nine[3 * i : 3 * i + 3])) for i in range(3)]
my_value = show("MAX", max(my_three))
my_move = my_three.index(my_value)
my_skipped = [97, 44, 28, 38, 68, 94, 89, 23]


# %% minmax_decision
def minmax_decision(state, game):
    player = game.to_move(state)
    print('searching for', player, 'in', state)

    def max_value(state):
        if game.terminal_test(state):
            return game.utility(state, player)
        best = -infinity
        for move in game.actions(state):
            best = max(best, min_value(game.result(state, move)))
        return best

    def min_value(state):
        if game.terminal_test(state):
            return game.utility(state, player)
        worst = infinity
        for move in game.actions(state):
            worst = min(worst, max_value(game.result(state, move)))
        return worst

    best_move, best = None, -infinity
    for move in game.actions(state):
        value = min_value(game.result(state, move))
        if best_move is None or value > best:
            best_move, best = move, value
    return best_move


# %% alpha_beta_search
def alpha_beta_search(state, game):
    player = game.to_move(state)

    def max_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        best = -infinity
        for move in game.actions(state):
            best = max(best, min_value(game.result(state, move), alpha, beta))
            if best >= beta:
                print('cut at', best, 'by beta', beta)
                break
            alpha = max(alpha, best)
        return best

    def min_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        worst = infinity
        for move in game.actions(state):
            worst = min(worst, max_value(game.result(state, move), alpha, beta))
            if worst <= alpha:
                break
            beta = min(beta, worst)
        return worst

    best_move, alpha = None, -infinity
    for move in game.actions(state):
        value = min_value(game.result(state, move), alpha, infinity)
        if best_move is None or value > alpha:
            best_move, alpha = move, value
    return best_move


def alpha_beta_player(game, state):
    return alpha_beta_search(state, game)
