"""No recursion: a list of frames for the tree's size, and generators that are driven for alpha-beta."""

# %% tree_size
def tree_size(game, state):
    waiting, number = [state], 0
    while waiting:
        current = waiting.pop()
        number += 1
        if not game.terminal_test(current):
            waiting.extend(game.result(current, move) for move in game.actions(current))
    return number

# %% alphabeta
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


def alphabeta(game, state, depth, evaluate):
    player = game.to_move(state)

    def search(state, depth, alpha, beta):
        if game.terminal_test(state):
            won = game.utility(state, player)
            return (infinity if won > 0 else -infinity if won < 0 else 0), None
        if depth == 0:
            return evaluate(state, player), None
        sign = 1 if game.to_move(state) == player else -1
        best = None
        for move in game.actions(state):
            value, _ = yield search(game.result(state, move), depth - 1, alpha, beta)
            if best is None or sign * value > sign * best[0]:
                best = value, move
            if sign > 0:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best

    return run(search(state, depth, -infinity, infinity))
