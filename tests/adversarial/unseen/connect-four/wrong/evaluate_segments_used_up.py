"""I prepare the squares of all segments once, outside of the function, as (row, column).

Cell: evaluate
Named: keeps_something
"""

# %% evaluate
segments_row_column = (
    [(row, column) for (column, row) in segment] for segment in generate_segments(7, 6, 4)
)
scores = {2: 1, 3: 100, 4: 1000000}


def score_of_segment(mine, theirs):
    if mine > 0 and theirs > 0:
        return 0
    if mine > 0:
        return scores.get(mine, 0)
    return -scores.get(theirs, 0)


def evaluate(state: GameState, player: str) -> int:
    """Return the sum of the scores of all segments of the usual board, seen by `player`."""
    result = 0
    for segment in segments_row_column:
        mine = 0
        theirs = 0
        for square in segment:
            if square in state.board:
                if state.board[square] == player:
                    mine += 1
                else:
                    theirs += 1
        result += score_of_segment(mine, theirs)
    return result
