"""Everything is written out in loops, pruning is strict, and the last best move is kept."""

# %% TicTacToe
class TicTacToe(Game):
    """Rows, columns and diagonals, looked at one by one."""

    def __init__(self, h=3, v=3, k=3):
        self.rows = h
        self.columns = v
        self.needed = k
        everything = []
        for r in range(h):
            for c in range(v):
                everything.append((r, c))
        self.initial = GameState("X", 0, {}, everything)

    def actions(self, state):
        free = []
        for r in range(self.rows):
            for c in range(self.columns):
                if (r, c) not in state.board:
                    free.append((r, c))
        return free

    def result(self, state, move):
        if move not in self.actions(state):
            raise ValueError("cannot play " + str(move))
        board = dict(state.board)
        board[move] = state.to_move
        worth = self.compute_utility(board, move, state.to_move)
        if state.to_move == "X":
            following = "O"
        else:
            following = "X"
        free = [m for m in self.actions(state) if m != move]
        return GameState(following, worth, board, free)

    def utility(self, state, player):
        if player == "O":
            return -state.utility
        return state.utility

    def terminal_test(self, state):
        if state.utility != 0:
            return True
        return len(state.board) == self.rows * self.columns

    def display(self, state):
        for r in range(self.rows):
            line = ""
            for c in range(self.columns):
                line += "|" + state.board.get((r, c), " ")
            print(line + "|")

    def compute_utility(self, board, move, player):
        for step in [(1, 0), (0, 1), (1, 1), (-1, 1)]:
            if self.k_in_row(board, move, player, step):
                if player == "X":
                    return 1
                return -1
        return 0

    def k_in_row(self, board, move, player, delta_x_y):
        down, right = delta_x_y
        count = 1
        for sign in (1, -1):
            r, c = move
            while True:
                r += sign * down
                c += sign * right
                if board.get((r, c)) != player:
                    break
                count += 1
        return count >= self.needed

# %% MiniMax
class MiniMax(Player):
    """Looks at everything."""

    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        me = self.game.to_move(state)
        best = -infinity
        answer = None
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), me)
            if value >= best:
                best = value
                answer = move
        return answer

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        best = -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player)
            if value > best:
                best = value
        return best

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        worst = infinity
        for move in self.game.actions(state):
            value = self.max_value(self.game.result(state, move), player)
            if value < worst:
                worst = value
        return worst

# %% AlphaBeta
class AlphaBeta(Player):
    """Looks at what can matter; cuts only when a value is strictly outside the window."""

    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.d = d
        self.game = game
        if cutoff_test is None:
            cutoff_test = self.too_deep
        if eval_fn is None:
            eval_fn = self.guess
        self.cutoff_test = cutoff_test
        self.eval_fn = eval_fn

    def too_deep(self, state, depth):
        return depth >= self.d

    def guess(self, state):
        return 0

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        me = self.game.to_move(state)
        alpha = -infinity
        answer = None
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), me, alpha, infinity, 1)
            if answer is None or value > alpha:
                answer = move
            if value > alpha:
                alpha = value
        return answer

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        best = -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, alpha, beta, depth + 1)
            best = max(best, value)
            if best > beta:
                break
            alpha = max(alpha, best)
        return best

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        worst = infinity
        for move in self.game.actions(state):
            value = self.max_value(self.game.result(state, move), player, alpha, beta, depth + 1)
            worst = min(worst, value)
            if worst < alpha:
                break
            beta = min(beta, worst)
        return worst

# %% playing
start = after(TicTacToe(), [(0, 0), (1, 1)])
deep = AlphaBeta(9)
full = MiniMax()
results = {}
results["random", "AlphaBeta"] = TicTacToe().play_game(random_player, deep, initial=start)
results["AlphaBeta", "random"] = TicTacToe().play_game(deep, random_player, initial=start)
results["MiniMax", "AlphaBeta"] = TicTacToe().play_game(full, deep, initial=start)
results["AlphaBeta", "MiniMax"] = TicTacToe().play_game(deep, full, initial=start)

# %% evaluation_a
terminal_states = {"MiniMax": [], "AlphaBeta": []}
time_taken = {"MiniMax": [], "AlphaBeta": []}
for name, player in [("MiniMax", MiniMax()), ("AlphaBeta", AlphaBeta(9))]:
    for opening in OPENINGS:
        game = TicTacToe()
        begin = time.time()
        end = game.play_game(player, player, initial=after(game, opening))
        time_taken[name].append(time.time() - begin)
        terminal_states[name].append(end)
