"""With types and docstrings, as in the notebook; functions inside know the player."""

# %% generate_segments
def generate_segments(columns: int, rows: int, length: int) -> list[list[tuple[int, int]]]:
    """Return all segments of `length` squares on the board, as lists of (column, row)."""
    segments = []
    for right, up in (1, 0), (0, 1), (1, 1), (1, -1):
        for column in range(columns):
            for row in range(rows):
                segment = [(column + i * right, row + i * up) for i in range(length)]
                last_column, last_row = segment[-1]
                if last_column < columns and 0 <= last_row < rows:
                    segments.append(segment)
    return segments

# %% evaluate
def evaluate(state: GameState, player: str) -> int:
    """Return the sum of the scores of all segments of the usual board, seen by `player`."""
    opponent = "O" if player == "X" else "X"
    score = {0: 0, 1: 0, 2: 1, 3: 100, 4: 1_000_000}
    total = 0
    for segment in SEGMENTS:
        pieces = [state.board.get((row, column)) for column, row in segment]
        mine, theirs = pieces.count(player), pieces.count(opponent)
        if theirs == 0:
            total += score[mine]
        if mine == 0:
            total -= score[theirs]
    return total


SEGMENTS = generate_segments(columns=7, rows=6, length=4)  # once, and not in each call

# %% minimax
def minimax(
    game: Game, state: State, depth: int, evaluate: Evaluation
) -> tuple[float, Move | None]:
    """Return (value, move) for the player to move in `state`, looking `depth` plies ahead."""
    player = game.to_move(state)

    def final_value(state: State) -> float:
        utility = game.utility(state, player)
        return utility * infinity if utility else 0

    def max_value(state: State, depth: int) -> tuple[float, Move | None]:
        if game.terminal_test(state):
            return final_value(state), None
        if depth == 0:
            return evaluate(state, player), None
        value, best_move = -infinity, None
        for move in game.actions(state):
            reply, _ = min_value(game.result(state, move), depth - 1)
            if best_move is None or reply > value:
                value, best_move = reply, move
        return value, best_move

    def min_value(state: State, depth: int) -> tuple[float, Move | None]:
        if game.terminal_test(state):
            return final_value(state), None
        if depth == 0:
            return evaluate(state, player), None
        value, best_move = infinity, None
        for move in game.actions(state):
            reply, _ = max_value(game.result(state, move), depth - 1)
            if best_move is None or reply < value:
                value, best_move = reply, move
        return value, best_move

    return max_value(state, depth)

# %% alphabeta
def alphabeta(
    game: Game, state: State, depth: int, evaluate: Evaluation
) -> tuple[float, Move | None]:
    """Return (value, move) as `minimax` does, without looking at what cannot matter."""
    player = game.to_move(state)

    def final_value(state: State) -> float:
        utility = game.utility(state, player)
        return utility * infinity if utility else 0

    def max_value(state: State, depth: int, alpha: float, beta: float) -> tuple[float, Move | None]:
        if game.terminal_test(state):
            return final_value(state), None
        if depth == 0:
            return evaluate(state, player), None
        value, best_move = -infinity, None
        for move in game.actions(state):
            reply, _ = min_value(game.result(state, move), depth - 1, alpha, beta)
            if best_move is None or reply > value:
                value, best_move = reply, move
            if value >= beta:
                return value, best_move
            alpha = max(alpha, value)
        return value, best_move

    def min_value(state: State, depth: int, alpha: float, beta: float) -> tuple[float, Move | None]:
        if game.terminal_test(state):
            return final_value(state), None
        if depth == 0:
            return evaluate(state, player), None
        value, best_move = infinity, None
        for move in game.actions(state):
            reply, _ = max_value(game.result(state, move), depth - 1, alpha, beta)
            if best_move is None or reply < value:
                value, best_move = reply, move
            if value <= alpha:
                return value, best_move
            beta = min(beta, value)
        return value, best_move

    return max_value(state, depth, -infinity, infinity)

# %% nodes
start = after(ConnectFour(), [2, 0, 1, 3, 2, 2])
nodes: dict[int, tuple[int, int]] = {}


class CountedConnectFour(ConnectFour):
    """Connect Four that counts the states that are generated."""

    generated = 0

    def result(self, state: GameState, move: int) -> GameState:
        self.generated += 1
        return super().result(state, move)


def count(search: Callable[..., Any], depth: int) -> int:
    """Return how many states a search looks at, the first one included."""
    game = CountedConnectFour()
    search(game, start, depth, top_count)
    return 1 + game.generated


for depth in range(1, 7):
    nodes[depth] = count(minimax, depth), count(alphabeta, depth)

for depth, (plain, pruned) in nodes.items():
    print(f"depth {depth}: minimax {plain:7,}, alphabeta {pruned:6,}, {pruned / plain:6.1%}")
