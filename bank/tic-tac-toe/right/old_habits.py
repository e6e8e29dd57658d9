"""Python as it was written twenty years ago: percent signs, semicolons, indices and flags."""


# %% TicTacToe
class TicTacToe(Game, object):
    def __init__(self, h = 3, v = 3, k = 3):
        super(TicTacToe, self).__init__()
        self.h = h; self.v = v; self.k = k
        moves = []
        i = 0
        while i < h:
            j = 0
            while j < v:
                moves.append((i, j)); j = j + 1
            i = i + 1
        self.initial = GameState('X', 0, {}, moves)

    def actions(self, state):
        moves = []
        for i in range(len(state.moves)):
            moves.append(state.moves[i])
        return moves

    def result(self, state, move):
        legal = 0
        for i in range(len(state.moves)):
            if state.moves[i] == move: legal = 1
        if not legal:
            raise ValueError("illegal move: %s" % (move,))
        board = {}
        for key in list(state.board.keys()):
            board[key] = state.board[key]
        board[move] = state.to_move
        moves = []
        for m in state.moves:
            if not m == move: moves = moves + [m]
        other = {'X': 'O', 'O': 'X'}
        return GameState(other[state.to_move], self.compute_utility(board, move, state.to_move),
                         board, moves)

    def utility(self, state, player):
        if player == 'X': return state.utility
        else: return -1 * state.utility

    def terminal_test(self, state):
        if state.utility == 1 or state.utility == -1: return 1
        if len(state.moves) == 0: return 1
        return 0

    def display(self, state):
        for i in range(0, self.h):
            s = ''
            for j in range(0, self.v):
                if (i, j) in list(state.board.keys()): s = s + '%s ' % state.board[(i, j)]
                else: s = s + '%s ' % '.'
            print('%s' % s)

    def compute_utility(self, board, move, player):
        flag = 0
        if self.k_in_row(board, move, player, (0, 1)): flag = 1
        elif self.k_in_row(board, move, player, (1, 0)): flag = 1
        elif self.k_in_row(board, move, player, (1, 1)): flag = 1
        elif self.k_in_row(board, move, player, (1, -1)): flag = 1
        if flag and player == 'O': flag = -1
        return flag

    def k_in_row(self, board, move, player, delta_x_y):
        (dx, dy) = delta_x_y
        n = 0
        (x, y) = move
        while board.get((x, y), None) == player:
            n = n + 1
            x = x + dx; y = y + dy
        (x, y) = move
        while board.get((x, y), None) == player:
            n = n + 1
            x = x - dx; y = y - dy
        n = n - 1
        if n >= self.k: return 1
        return 0


# %% MiniMax
class MiniMax(Player, object):
    def __init__(self, game = None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        moves = list(self.game.actions(state))
        best = 0
        values = []
        for i in range(len(moves)):
            values.append(self.min_value(self.game.result(state, moves[i]), player))
            if values[i] > values[best]: best = i
        return moves[best]

    def max_value(self, state, player):
        if self.game.terminal_test(state): return self.game.utility(state, player)
        v = -999999
        for a in list(self.game.actions(state)):
            w = self.min_value(self.game.result(state, a), player)
            if w > v: v = w
        return v

    def min_value(self, state, player):
        if self.game.terminal_test(state): return self.game.utility(state, player)
        v = +999999
        for a in list(self.game.actions(state)):
            w = self.max_value(self.game.result(state, a), player)
            if w < v: v = w
        return v
