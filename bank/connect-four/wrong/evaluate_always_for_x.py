"""X is good, O is bad.

Cell: evaluate
Caught by: test_both_players
Weight: mistake
Frequent: yes
"""

# %% evaluate
def evaluate(state, player):
    player, opponent = "X", "O"
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
