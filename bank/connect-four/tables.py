"""The cells that build on others, each on its own feet, so that a mistake elsewhere costs nothing here.

In an audit they stand in for the reference. The counts of minimax are known from elsewhere; those of
alpha-beta depend on the search, which is counted.
"""

# %% evaluate
def evaluate(state, player):
    opponent = "O" if player == "X" else "X"
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

# %% find_best_move
def find_best_move(game, state, depth):
    player = game.to_move(state)

    def worth(state):
        if not game.terminal_test(state):
            return own_estimate(state, player)
        return game.utility(state, player) and infinity * game.utility(state, player)

    def search(state, depth, alpha, beta):
        if depth == 0 or game.terminal_test(state):
            return worth(state), None
        best = None
        for move in game.actions(state):
            value, _ = search(game.result(state, move), depth - 1, alpha, beta)
            if game.to_move(state) == player:
                best = max(best or (value, move), (value, move), key=lambda pair: pair[0])
                alpha = max(alpha, best[0])
            else:
                best = min(best or (value, move), (value, move), key=lambda pair: pair[0])
                beta = min(beta, best[0])
            if alpha >= beta:
                break
        return best

    return search(state, depth, -infinity, infinity)[1]


OWN_LINES = [
    [(row + up * i, column + right * i) for i in range(4)]
    for column in range(7)
    for row in range(6)
    for right, up in [(1, 0), (0, 1), (1, 1), (1, -1)]
    if column + 3 * right < 7 and 0 <= row + 3 * up < 6
]


def own_estimate(state, player):
    total = 0
    for line in OWN_LINES:
        held = {state.board.get(square) for square in line}
        if len(held - {None}) == 1:
            number = sum(square in state.board for square in line)
            score = [0, 0, 1, 100, 1_000_000][number]
            total += score if player in held else -score
    return total

# %% nodes
class NumberedConnectFour(ConnectFour):
    def result(self, state, move):
        self.number += 1
        return super().result(state, move)


def looked_at(depth):
    game = NumberedConnectFour()
    game.number = 1
    alphabeta(game, after(ConnectFour(), [2, 0, 1, 3, 2, 2]), depth, top_count)
    return game.number


nodes = dict(enumerate([8, 57, 400, 2800, 19569, 134825], 1))
nodes = {depth: (plain, looked_at(depth)) for depth, plain in nodes.items()}
