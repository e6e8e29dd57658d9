"""Three pieces are two pieces as well, so they score 100 and 1.

Cell: evaluate
Caught by: test_three test_four
Weight: slip
Frequent: yes
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
            total += sum(worth for number, worth in score.items() if number <= mine)
        if mine == 0:
            total -= sum(worth for number, worth in score.items() if number <= theirs)
    return total


SEGMENTS = generate_segments(columns=7, rows=6, length=4)  # once, and not in each call
