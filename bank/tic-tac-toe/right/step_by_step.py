"""A name for each thing, and one thing a line; nothing is left to min and max."""

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, [(r, c) for r in range(h) for c in range(v)])

    def actions(self, state):
        return [square for square in self.initial.moves if square not in state.board]

    def result(self, state, move):
        if move not in self.actions(state):
            raise ValueError(f"{move} is not legal")
        player = state.to_move
        board = {**state.board, move: player}
        moves = [square for square in self.actions(state) if square != move]
        utility = self.compute_utility(board, move, player)
        return GameState("XO"[player == "X"], utility, board, moves)

    def utility(self, state, player):
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state):
        return state.utility != 0 or len(state.board) == self.h * self.v

    def display(self, state):
        for r in range(self.h):
            print(*[state.board.get((r, c), ".") for c in range(self.v)])

    def compute_utility(self, board, move, player):
        for step in (0, 1), (1, 0), (1, 1), (1, -1):
            if self.k_in_row(board, move, player, step):
                return 1 if player == "X" else -1
        return 0

    def k_in_row(self, board, move, player, delta_x_y):
        dr, dc = delta_x_y
        row, column = move
        length = 1
        while board.get((row + dr, column + dc)) == player:
            row, column, length = row + dr, column + dc, length + 1
        row, column = move
        while board.get((row - dr, column - dc)) == player:
            row, column, length = row - dr, column - dc, length + 1
        return length >= self.k

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        me = self.game.to_move(state)
        moves = []
        scores = []
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            moves.append(m)
            scores.append(self.min_value(new_state, me))
        return moves[scores.index(max(scores))]

    def max_value(self, state, player):
        # is it over?
        if self.game.terminal_test(state) == True:
            return self.game.utility(state, player)
        best = -infinity
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.min_value(new_state, player)
            if score > best:
                best = score
        return best

    def min_value(self, state, player):
        # is it over?
        if self.game.terminal_test(state) == True:
            return self.game.utility(state, player)
        worst = infinity
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.max_value(new_state, player)
            if score < worst:
                worst = score
        return worst

# %% AlphaBeta
class AlphaBeta(Player):
    """Alpha-beta with a depth limit."""

    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.d = d
        self.game = game
        self.cutoff_test = self.deep_enough if cutoff_test is None else cutoff_test
        self.eval_fn = self.estimate if eval_fn is None else eval_fn

    def deep_enough(self, state, depth):
        return depth >= self.d

    def estimate(self, state):
        return 0

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        me = self.game.to_move(state)
        best_score = -infinity
        best_move = None
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.min_value(new_state, me, best_score, infinity, 1)
            if best_move is None or score > best_score:
                best_score = score
                best_move = m
        return best_move

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        best = -infinity
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.min_value(new_state, player, alpha, beta, depth + 1)
            if score > best:
                best = score
            if best > alpha:
                alpha = best
            if beta <= alpha:
                break  # MIN will not let it come to this
        return best

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        worst = infinity
        for m in self.game.actions(state):
            new_state = self.game.result(state, m)
            score = self.max_value(new_state, player, alpha, beta, depth + 1)
            if score < worst:
                worst = score
            if worst < beta:
                beta = worst
            if beta <= alpha:
                break  # MAX has something better
        return worst
