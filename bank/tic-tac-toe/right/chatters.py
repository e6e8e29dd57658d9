"""Every method tells what it is doing, with progress bars and colours, far more than one can read."""

# %% +
import sys


def say(*words, end="\n"):
    sys.stdout.write("\033[32m" + " ".join(map(str, words)) + "\033[0m" + end)
    sys.stdout.flush()


# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        say("A NEW BOARD", h, "x", v)
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, [(r, c) for r in range(h) for c in range(v)])

    def actions(self, state):
        print("the moves are", state.moves)
        return [*state.moves]

    def result(self, state, move):
        print(f"{state.to_move} plays {move} on {state.board}")
        if move not in state.moves:
            print("but that is not allowed!", file=sys.stderr)
            raise IllegalMove(str(move))
        board = {**state.board, move: state.to_move}
        moves = [square for square in state.moves if square != move]
        utility = self.compute_utility(board, move, state.to_move)
        return GameState("O" if state.to_move == "X" else "X", utility, board, moves)

    def utility(self, state, player):
        print("utility for", player)
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state):
        print("is it over?", end="\r")
        return state.utility != 0 or not state.moves

    def display(self, state):
        print("this is the board:")
        for r in range(self.h):
            row = [state.board.get((r, c), ".") for c in range(self.v)]
            print("\t", *(f"\033[1m{piece}\033[0m" for piece in row), "\t", r + 1)
        print("=" * 72)

    def compute_utility(self, board, move, player):
        steps = [(0, 1), (1, 0), (1, 1), (1, -1)]
        found = [step for step in steps if self.k_in_row(board, move, player, step)]
        print("lines:", found)
        return (1 if player == "X" else -1) if found else 0

    def k_in_row(self, board, move, player, delta_x_y):
        (r, c), (dr, dc) = move, delta_x_y
        n = 1
        while board.get((r + dr, c + dc)) == player:
            r, c, n = r + dr, c + dc, n + 1
            print("#" * n)
        r, c = move
        while board.get((r - dr, c - dc)) == player:
            r, c, n = r - dr, c - dc, n + 1
            print("#" * n)
        return n >= self.k


# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        best, alpha = None, -infinity
        for number, move in enumerate(self.game.actions(state)):
            print(f"\rthinking {'.' * number}", end="")
            value = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if best is None or value > alpha:
                best, alpha = move, value
                print("-> better:", move, value)
        print(f"\n{player} decides for {best}")
        return best

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
                print("  " * depth + "cut: beta =", beta)
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
                print("  " * depth + "cut: alpha =", alpha)
                return value
            beta = min(beta, value)
        return value
