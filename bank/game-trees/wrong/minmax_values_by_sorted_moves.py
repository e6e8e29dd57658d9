"""It lists values for the moves in ascending order, and looks one up in another order.

Cell: minmax_decision
Caught by: test_minmax_random_trees
Weight: slip
Frequent: yes
Named: order_of_moves
"""


# %% minmax_decision
def minmax_decision(state: State, game: Game) -> Move:
    """Return the move that is best, by its minimax value, for the player to move in `state`."""
    searcher = game.to_move(state)

    def worth(node):
        if game.terminal_test(node):
            return game.utility(node, searcher)
        choose = max if game.to_move(node) == searcher else min
        return choose(worth(game.result(node, way)) for way in game.actions(node))

    results = {way: worth(game.result(state, way)) for way in game.actions(state)}
    ranking = [results[way] for way in sorted(results)]
    return list(results)[ranking.index(max(ranking))]
