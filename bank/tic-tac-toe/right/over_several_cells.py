"""The classes grow over several cells of the student's own; the solution cells only name them."""

# %% +
class MyTicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, [(r, c) for r in range(h) for c in range(v)])

    def actions(self, state):
        return list(state.moves)

    def result(self, state, move):
        if move not in state.moves:
            raise IllegalMove(move)
        board = {**state.board, move: state.to_move}
        utility = self.compute_utility(board, move, state.to_move)
        return GameState(other(state.to_move), utility, board, without(move, state.moves))

    def utility(self, state, player):
        return state.utility * sign(player)

    def terminal_test(self, state):
        return state.utility != 0 or not state.moves

# %% +
other = {"X": "O", "O": "X"}.get
sign = {"X": 1, "O": -1}.get


def without(gone, moves):
    return [move for move in moves if move != gone]

# %% +
def compute_utility(self, board, move, player):
    directions = [(0, 1), (1, 0), (1, 1), (1, -1)]
    return sign(player) * any(self.k_in_row(board, move, player, d) for d in directions)


def k_in_row(self, board, move, player, delta_x_y):
    length = -1
    for way in (1, -1):
        row, column = move
        while board.get((row, column)) == player:
            row += way * delta_x_y[0]
            column += way * delta_x_y[1]
            length += 1
    return length >= self.k


MyTicTacToe.compute_utility = compute_utility
MyTicTacToe.k_in_row = k_in_row

# %% TicTacToe
TicTacToe = MyTicTacToe
TicTacToe.display = lambda self, state: print(
    *("".join(state.board.get((r, c), ".") for c in range(self.v)) for r in range(self.h)),
    sep="\n",
)

# %% +
class Thinker(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)


class Plain(Thinker):
    def search(self, state):
        me = self.game.to_move(state)
        return max(
            self.game.actions(state),
            key=lambda move: self.min_value(self.game.result(state, move), me),
        )

    def max_value(self, state, player):
        return self.value(state, player, max, self.min_value)

    def min_value(self, state, player):
        return self.value(state, player, min, self.max_value)

# %% +
class PlainWithValues(Plain):
    def value(self, state, player, best, below):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return best(below(self.game.result(state, m), player) for m in self.game.actions(state))

# %% MiniMax
MiniMax = PlainWithValues

# %% +
class Pruning(Thinker):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        Thinker.__init__(self, game)
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = -infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = max(value, self.min_value(child, player, alpha, beta, depth + 1))
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return value

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = min(value, self.max_value(child, player, alpha, beta, depth + 1))
            if value <= alpha:
                return value
            beta = min(beta, value)
        return value

# %% AlphaBeta
class AlphaBeta(Pruning):
    def search(self, state):
        me, best, alpha = self.game.to_move(state), None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), me, alpha, infinity, 1)
            if best is None or value > alpha:
                best, alpha = move, value
        return best
