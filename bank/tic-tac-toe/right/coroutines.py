"""The searches are generators that ask for the value of a child, run by a trampoline."""

# %% +
def run(walk):
    stack, answer = [walk], None
    while stack:
        try:
            stack.append(stack[-1].send(answer))
            answer = None
        except StopIteration as end:
            stack.pop()
            answer = end.value
    return answer

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def _walk(self, state, player, sign):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        values = []
        for move in self.game.actions(state):
            values.append((yield self._walk(self.game.result(state, move), player, -sign)))
        return max(values) if sign > 0 else min(values)

    def search(self, state):
        player, found = self.game.to_move(state), {}
        for move in self.game.actions(state):
            found[move] = run(self._walk(self.game.result(state, move), player, -1))
        return max(found, key=found.get)

    def max_value(self, state, player):
        return run(self._walk(state, player, 1))

    def min_value(self, state, player):
        return run(self._walk(state, player, -1))

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game, self.d = game, d
        self.cutoff, self.estimate = cutoff_test, eval_fn

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        return run(self._walk(state, player, -infinity, infinity, 0, 1))[1]

    def _stop(self, state, depth):
        return self.cutoff(state, depth) if self.cutoff else depth >= self.d

    def _walk(self, state, player, alpha, beta, depth, sign):
        if self.game.terminal_test(state):
            return self.game.utility(state, player), None
        if depth and self._stop(state, depth):
            return (self.estimate(state) if self.estimate else 0), None
        best = None, None
        for move in self.game.actions(state):
            value, _ = yield self._walk(self.game.result(state, move), player, alpha, beta, depth + 1, -sign)
            if best[1] is None or sign * value > sign * best[0]:
                best = value, move
            if sign > 0:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self._stop(state, depth):
            return self.estimate(state) if self.estimate else 0
        return run(self._walk(state, player, alpha, beta, depth, 1))[0]

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self._stop(state, depth):
            return self.estimate(state) if self.estimate else 0
        return run(self._walk(state, player, alpha, beta, depth, -1))[0]
