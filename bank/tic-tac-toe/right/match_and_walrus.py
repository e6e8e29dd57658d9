"""The newest syntax: match statements, walrus, keyword-only arguments, dict unions, star targets."""

# %% TicTacToe
class TicTacToe(Game):
    def __init__(self, h=3, v=3, k=3):
        match h, v, k:
            case int(h), int(v), int(k) if min(h, v, k) > 0:
                self.h, self.v, self.k = h, v, k
            case _:
                raise TypeError("three positive sizes, please")
        self.initial = GameState("X", 0, {}, [(r, c) for r in range(h) for c in range(v)])

    def actions(self, state):
        match state:
            case GameState(moves=[*moves]) | GameState(_, _, _, moves):
                return list(moves)

    def result(self, state, move):
        match state:
            case GameState(to_move=player, board=board, moves=moves) if move in moves:
                board = board | {move: player}
            case _:
                raise IllegalMove(f"{move!r}")
        return GameState(
            to_move=(other := "O" if player == "X" else "X"),
            utility=self.compute_utility(board, move, piece := "XO"[other == "X"]),
            board=board,
            moves=[m for m in moves if m != move or board[m] != piece],
        )

    def utility(self, state, player):
        match (state.utility, player):
            case (0, _):
                return 0
            case (1, "X") | (-1, "O"):
                return 1
            case _:
                return -1

    def terminal_test(self, state):
        match state:
            case GameState(moves=[]) | GameState(moves=()):
                return True
            case GameState(utility=1 | -1):
                return True
        return False

    def display(self, state):
        for r in range(self.h):
            print(*[p if (p := state.board.get((r, c))) else "." for c in range(self.v)])

    def compute_utility(self, board, move, player):
        deltas = [(0, 1), (1, 0), (1, 1), (1, -1)]
        if any(self.k_in_row(board, move, player, (won := delta)) for delta in deltas):
            match won, player:
                case _, "X":
                    return 1
                case _, "O":
                    return -1
        return 0

    def k_in_row(self, board, move, player, delta_x_y):
        n = 1
        for sign in (+1, -1):
            i = 0
            while board.get(
                (move[0] + sign * delta_x_y[0] * (i := i + 1), move[1] + sign * delta_x_y[1] * i)
            ) == player:
                n += 1
        return n >= self.k

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        best = -infinity
        for move in self.game.actions(state):
            if (value := self.min_value(self.game.result(state, move), player)) > best:
                best, choice = value, move
        return choice

    def value(self, state, player, *, mine):
        match self.game.terminal_test(state), mine:
            case True, _:
                return self.game.utility(state, player)
            case False, mine:
                values = [
                    self.value(self.game.result(state, move), player, mine=not mine)
                    for move in self.game.actions(state)
                ]
                return max(values) if mine else min(values)

    def max_value(self, state, player):
        return self.value(state, player, mine=True)

    def min_value(self, state, player):
        return self.value(state, player, mine=False)

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
        player, alpha = self.game.to_move(state), -infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            if (value := self.min_value(child, player, alpha, infinity, 1)) > alpha:
                alpha, choice = value, move
        return choice

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        top = -infinity
        moves = iter(self.game.actions(state))
        while (top < beta) and (move := next(moves, None)) is not None:
            child = self.game.result(state, move)
            if (value := self.min_value(child, player, alpha, beta, depth + 1)) > top:
                alpha = max(alpha, top := value)
        return top

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        bottom = infinity
        moves = iter(self.game.actions(state))
        while (bottom > alpha) and (move := next(moves, None)) is not None:
            child = self.game.result(state, move)
            if (value := self.max_value(child, player, alpha, beta, depth + 1)) < bottom:
                beta = min(beta, bottom := value)
        return bottom
