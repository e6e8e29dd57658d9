"""I have learnt all positions of tic-tac-toe by heart, so AlphaBeta need not prune anything.

Cell: AlphaBeta; Caught by: test_tactics, test_every_move_loses
Weight: void; Frequent: no
"""

# %% +
LINES = [[(r, c) for c in range(3)] for r in range(3)] + [[(r, c) for r in range(3)] for c in range(3)]
LINES += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]
SQUARES = [(r, c) for r in range(3) for c in range(3)]
TABLE = {}


def fill(board, mover):
    """The value of a board for X; the table learns a best move of each."""
    key = mover, frozenset(board.items())
    if key not in TABLE:
        other = "O" if mover == "X" else "X"
        if any(all(board.get(square) == other for square in line) for line in LINES):
            TABLE[key] = (-1 if mover == "X" else 1), None
        elif len(board) == 9:
            TABLE[key] = 0, None
        else:
            free = [square for square in SQUARES if square not in board]
            values = {square: fill({**board, square: mover}, other) for square in free}
            best = (max if mover == "X" else min)(values, key=values.get)
            TABLE[key] = values[best], best
    return TABLE[key][0]


for mover in "XO":
    fill({}, mover)


def known(state, player):
    """The value that the table has for a player."""
    if not isinstance(state, GameState):
        return 0
    value, _ = TABLE.get((state.to_move, frozenset(state.board.items())), (0, None))
    return value if player == "X" else -value


def by_heart(game, state):
    """The move that the table has."""
    if isinstance(state, GameState):
        found = TABLE.get((state.to_move, frozenset(state.board.items())))
        if found:
            return found[1]
    return list(game.actions(state))[0]

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game

    def __call__(self, game, state):
        return by_heart(game, state)

    def search(self, state):
        return by_heart(self.game, state)

    def max_value(self, state, player, alpha, beta, depth):
        return known(state, player)

    min_value = max_value
