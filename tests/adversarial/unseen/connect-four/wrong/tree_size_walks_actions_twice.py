"""One for the state, one for each child, and then what lies below the children.

Cell: tree_size
Named: tree_size_needs_a_list
"""

# %% tree_size
def below(game, state):
    """Return how many states there are below `state`, without `state` itself."""
    if game.terminal_test(state):
        return 0
    moves = game.actions(state)
    number = sum(1 for _ in moves)
    for move in moves:
        number += below(game, game.result(state, move))
    return number


def tree_size(game: Game, state: State) -> int:
    """Return the number of states in the game tree from `state` on, `state` included."""
    return 1 + below(game, state)
