"""Minimax without recursion: a list of open states, each with the values that it has got so far."""

# %% minmax_decision
def minmax_decision(state, game):
    me = game.to_move(state)
    values = {}
    for first in game.actions(state):
        child = game.result(state, first)
        stack = [(child, iter(game.actions(child)), [])]
        while stack:
            here, moves, found = stack[-1]
            following = None if game.terminal_test(here) else next(moves, None)
            if following is not None:
                below = game.result(here, following)
                stack.append((below, iter(game.actions(below)), []))
                continue
            stack.pop()
            if game.terminal_test(here):
                value = game.utility(here, me)
            else:
                value = max(found) if game.to_move(here) == me else min(found)
            if stack:
                stack[-1][2].append(value)
        values[first] = value
    return max(values, key=values.get)
