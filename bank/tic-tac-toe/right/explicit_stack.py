"""No recursion at all: MiniMax keeps a stack of its own, AlphaBeta runs generators on one."""

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def _evaluate(self, root, player, maximizing):
        """Depth first; a frame is [state, maximizing, moves still to try, values found]."""
        answer = []
        stack = []

        def enter(state, high):
            if self.game.terminal_test(state):
                (stack[-1][3] if stack else answer).append(self.game.utility(state, player))
            else:
                stack.append([state, high, iter(self.game.actions(state)), []])

        enter(root, maximizing)
        while stack:
            state, high, moves, values = stack[-1]
            try:
                move = next(moves)
            except StopIteration:
                stack.pop()
                (stack[-1][3] if stack else answer).append(max(values) if high else min(values))
            else:
                enter(self.game.result(state, move), not high)
        return answer[0]

    def search(self, state):
        player = self.game.to_move(state)
        values = {}
        for move in self.game.actions(state):
            values[move] = self._evaluate(self.game.result(state, move), player, False)
        return max(values, key=lambda move: values[move])

    def max_value(self, state, player):
        return self._evaluate(state, player, True)

    def min_value(self, state, player):
        return self._evaluate(state, player, False)

# %% AlphaBeta
def run(generator):
    """Drive generators that yield the generators whose answers they need."""
    stack, answer = [generator], None
    while stack:
        try:
            needed = stack[-1].send(answer)
        except StopIteration as end:
            stack.pop()
            answer = end.value
        else:
            stack.append(needed)
            answer = None
    return answer


class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def _value(self, state, player, alpha, beta, depth, maximizing):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        best = -infinity if maximizing else infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = yield self._value(child, player, alpha, beta, depth + 1, not maximizing)
            if maximizing:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def search(self, state):
        player = self.game.to_move(state)
        best, alpha = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if best is None or value > alpha:
                best, alpha = move, value
        return best

    def max_value(self, state, player, alpha, beta, depth):
        return run(self._value(state, player, alpha, beta, depth, True))

    def min_value(self, state, player, alpha, beta, depth):
        return run(self._value(state, player, alpha, beta, depth, False))
