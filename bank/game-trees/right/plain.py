"""The program of the textbook, with functions inside that know the game and the player."""

# %% minmax_decision
def minmax_decision(state, game):
    player = game.to_move(state)

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

# %% my_tree
#  53 73 51    61 30 87    82 97 44
#  78 66 41    62 47 84    19 76 37
#  32 56 20    28 38 68    94 89 23
my_nine = [73, 87, 97, 78, 84, 76, 56, 68, 94]
my_three = [73, 76, 56]
my_value = 76
my_move = 1
my_skipped = [97, 44, 28, 38, 68, 94, 89, 23]

# %% order
predicted = {"best first": [4, 16, 64], "worst first": [0, 0, 0]}
counted = {"best first": [], "worst first": []}
for plies in 2, 3, 4:
    for name in counted:
        tree = CountingTree(ordered_leaves(plies, name == "best first"))
        alpha_beta_search(tree.initial, tree)
        counted[name].append(tree.skipped())
