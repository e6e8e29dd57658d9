"""A class does the searching, and the pair that is returned is a list."""

# %% minimax
from dataclasses import dataclass


@dataclass
class Searcher:
    game: Game
    player: str
    evaluate: Evaluation

    def leaf(self, state):
        won = self.game.utility(state, self.player)
        return float(won and (infinity if won > 0 else -infinity))

    def value(self, state, depth):
        if self.game.terminal_test(state):
            return self.leaf(state)
        if depth == 0:
            return float(self.evaluate(state, self.player))
        values = [value for value, _ in self.moves(state, depth)]
        return max(values) if self.game.to_move(state) == self.player else min(values)

    def moves(self, state, depth):
        for move in self.game.actions(state):
            yield self.value(self.game.result(state, move), depth - 1), move


def minimax(game, state, depth, evaluate):
    searcher = Searcher(game, game.to_move(state), evaluate)
    if depth == 0 or game.terminal_test(state):
        return [searcher.value(state, depth), None]
    scored = list(searcher.moves(state, depth))
    return list(max(scored, key=lambda pair: pair[0]))

# %% nodes
class Counting(Game):
    """Another game inside, and a counter."""

    def __init__(self, game):
        self.game, self.initial, self.count = game, game.initial, 0

    def actions(self, state):
        return self.game.actions(state)

    def result(self, state, move):
        self.count += 1
        return self.game.result(state, move)

    def utility(self, state, player):
        return self.game.utility(state, player)


start = after(ConnectFour(), [2, 0, 1, 3, 2, 2])
nodes = {}
for depth in range(1, 7):
    counts = []
    for search in minimax, alphabeta:
        game = Counting(ConnectFour())
        search(game, start, depth, top_count)
        counts.append(1 + game.count)
    nodes[depth] = counts
