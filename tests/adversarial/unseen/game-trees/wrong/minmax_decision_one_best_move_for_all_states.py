"""Explicit stack with one best_move for all of its frames

Cell: minmax_decision
Named: move_from_elsewhere
"""


# %% minmax_decision
class Frame:
    """A state that is being looked at."""

    def __init__(self, game, state, move, player):
        self.state = state
        self.move = move  # the move that led here
        self.todo = iter(game.actions(state))
        self.mine = game.to_move(state) == player
        self.best = None


def minmax_decision(state: State, game: Game) -> Move:
    """Return the move that is best, by its minimax value, for the player to move in `state`."""
    player = game.to_move(state)
    best_move = None
    end = object()

    def report(frame, value, move):
        nonlocal best_move
        if frame.best is None:
            better = True
        elif frame.mine:
            better = value > frame.best
        else:
            better = value < frame.best
        if better:
            frame.best = value
            if frame.mine:
                best_move = move

    stack = [Frame(game, state, None, player)]
    while stack:
        top = stack[-1]
        move = next(top.todo, end)
        if move is end:
            stack.pop()
            if stack:
                report(stack[-1], top.best, top.move)
            continue
        child = game.result(top.state, move)
        if game.terminal_test(child):
            report(top, game.utility(child, player), move)
        else:
            stack.append(Frame(game, child, move, player))
    return best_move
