"""All lines that somebody can complete are added.

Cell: evaluate
Caught by: test_both_players
Weight: slip
Frequent: no
"""


# %% evaluate
def evaluate(state: GameState, player: str) -> int:
    """Return the sum of the scores of all segments of the usual board, seen by `player`."""
    opponent = "O" if player == "X" else "X"
    score = {0: 0, 1: 0, 2: 1, 3: 100, 4: 1_000_000}
    total = 0
    for segment in SEGMENTS:
        pieces = [state.board.get((row, column)) for column, row in segment]
        mine, theirs = pieces.count(player), pieces.count(opponent)
        if theirs == 0:
            total += score[mine]
        if mine == 0:
            total += score[theirs]
    return total


SEGMENTS = generate_segments(columns=7, rows=6, length=4)  # once, and not in each call
