"""I remember the boards, so that none is counted twice.

Cell: tree_size
Caught by: test_half_done_board test_small_boards
Weight: mistake
Frequent: yes
"""

# %% tree_size
def tree_size(game, state):
    seen, waiting = set(), [state]
    while waiting:
        state = waiting.pop()
        key = frozenset(state.board.items()) if isinstance(state, GameState) else state
        if key not in seen:
            seen.add(key)
            waiting += [game.result(state, move) for move in game.actions(state)]
    return len(seen)
