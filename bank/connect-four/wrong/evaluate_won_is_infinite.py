"""A position that is won is worth infinity.

Cell: evaluate
Caught by: test_positions
Weight: slip
Frequent: yes
"""

# %% evaluate
def evaluate(state, player):
    opponent = "O" if player == "X" else "X"
    if state.utility:
        return infinity if (state.utility > 0) == (player == 'X') else -infinity
    total = 0
    for segment in LINES:
        mine = theirs = 0
        for column, row in segment:
            piece = state.board.get((row, column))
            if piece == player:
                mine += 1
            elif piece == opponent:
                theirs += 1
        if theirs == 0:
            total += SCORES[mine]
        elif mine == 0:
            total -= SCORES[theirs]
    return total


SCORES = [0, 0, 1, 100, 1_000_000]
LINES = [
    [(column + right * i, row + up * i) for i in range(4)]
    for column in range(7)
    for row in range(6)
    for right, up in [(1, 0), (0, 1), (1, 1), (1, -1)]
    if column + 3 * right < 7 and 0 <= row + 3 * up < 6
]
