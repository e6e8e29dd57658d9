"""Goes through the moves from the last to the first, and keeps the last of equals."""

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        self.h, self.v, self.k = h, v, k
        squares = [(row, column) for column in range(v) for row in range(h)]
        self.initial = GameState("X", 0, {}, squares[::-1])

    def actions(self, state):
        return list(reversed(state.moves))

    def result(self, state, move):
        if move not in state.moves:
            raise ValueError("This move is not possible here.")
        moves = tuple(filter(lambda other: other != move, state.moves))
        board = {move: state.to_move} | state.board
        utility = self.compute_utility(board, move, state.to_move)
        return GameState({"X": "O"}.get(state.to_move, "X"), utility, board, moves)

    def utility(self, state, player):
        return state.utility if player != "O" else 0 - state.utility

    def terminal_test(self, state):
        return bool(state.utility != 0 or len(state.board) == self.h * self.v)

    def display(self, state):
        picture = ""
        for row in range(self.h):
            for column in range(self.v):
                picture += state.board.get((row, column), ".")
            picture += "\n"
        print(picture)

    def compute_utility(self, board, move, player):
        wins = [d for d in ((0, -1), (-1, 0), (-1, -1), (-1, 1))
                if self.k_in_row(board, move, player, d)]
        if not wins:
            return 0
        return -1 if player == "O" else 1

    def k_in_row(self, board, move, player, delta_x_y):
        row, column = move
        # back to the first piece of the line, then forwards to its last one
        while board.get((row - delta_x_y[0], column - delta_x_y[1])) == player:
            row, column = row - delta_x_y[0], column - delta_x_y[1]
        length = 0
        while board.get((row, column)) == player:
            row, column = row + delta_x_y[0], column + delta_x_y[1]
            length += 1
        return length >= self.k

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        moves = list(self.game.actions(state))
        player = self.game.to_move(state)
        index = len(moves) - 1
        best = moves[index]
        best_value = self.min_value(self.game.result(state, best), player)
        while index > 0:
            index -= 1
            value = self.min_value(self.game.result(state, moves[index]), player)
            if value > best_value:
                best, best_value = moves[index], value
        return best

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        moves = list(self.game.actions(state))
        value = -infinity
        while moves:
            value = max(value, self.min_value(self.game.result(state, moves.pop()), player))
        return value

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        moves = list(self.game.actions(state))
        value = infinity
        while moves:
            value = min(value, self.max_value(self.game.result(state, moves.pop()), player))
        return value

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        if cutoff_test is None:
            def cutoff_test(state, depth):
                return depth >= d
        if eval_fn is None:
            def eval_fn(state):
                return -0.1
        self.cutoff_test = cutoff_test
        self.eval_fn = eval_fn

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        moves = [*self.game.actions(state)]
        best = moves.pop()
        alpha = self.min_value(self.game.result(state, best), player, -infinity, infinity, 1)
        for move in moves[::-1]:
            value = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if value > alpha:
                best, alpha = move, value
        return best

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = -infinity
        for move in reversed(list(self.game.actions(state))):
            value = max(
                value,
                self.min_value(self.game.result(state, move), player, alpha, beta, depth + 1),
            )
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
        for move in reversed(list(self.game.actions(state))):
            value = min(
                value,
                self.max_value(self.game.result(state, move), player, alpha, beta, depth + 1),
            )
            if value < alpha:
                return value
            beta = min(beta, value)
        return value
