"""Right but slow, about three times as slow as need be: it copies, sorts and asks everything twice."""

# %% +
import copy

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def moves(self, state):
        found = []
        for move in self.game.actions(state):
            if move in list(self.game.actions(state)) and move not in found:
                found.append(move)
        return sorted(found, key=repr)

    def over(self, state):
        return self.game.terminal_test(state) and not (not self.game.terminal_test(state))

    def search(self, state):
        player = self.game.to_move(state)
        values = [self.min_value(self.game.result(state, m), player) for m in self.moves(state)]
        return self.moves(state)[values.index(max(values))]

    def max_value(self, state, player):
        if self.over(state):
            return self.game.utility(state, player)
        values = []
        for move in self.moves(state):
            values.append(self.min_value(self.game.result(copy.copy(state), move), player))
            values.sort()
        return values[-1]

    def min_value(self, state, player):
        if self.over(state):
            return self.game.utility(state, player)
        values = []
        for move in self.moves(state):
            values.append(self.max_value(self.game.result(copy.copy(state), move), player))
            values.sort()
        return values[0]

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def moves(self, state):
        moves = copy.deepcopy(list(self.game.actions(state)))
        return sorted(moves, key=lambda move: (str(type(move)), str(move)))

    def over(self, state):
        return all(self.game.terminal_test(state) for _ in range(2))

    def search(self, state):
        player = self.game.to_move(state)
        best, alpha = None, -infinity
        for move in self.moves(state):
            value = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if best is None or value > alpha:
                best, alpha = move, value
        return best

    def max_value(self, state, player, alpha, beta, depth):
        if self.over(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        values = [-infinity]
        for move in self.moves(state):
            child = self.game.result(state, move)
            values.append(self.min_value(child, player, max([alpha] + values), beta, depth + 1))
            if max(values) >= beta:
                break
        return max(values)

    def min_value(self, state, player, alpha, beta, depth):
        if self.over(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        values = [infinity]
        for move in self.moves(state):
            child = self.game.result(state, move)
            values.append(self.max_value(child, player, alpha, min([beta] + values), depth + 1))
            if min(values) <= alpha:
                break
        return min(values)
