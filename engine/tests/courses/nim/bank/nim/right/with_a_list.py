"""Piles as a list inside, shown as a Position."""


# %% Nim
class Nim(Game):
    def __init__(self, *sizes):
        self.initial = self.shown("first", list(sizes or [1, 2, 3]))

    def shown(self, mover, sizes):
        possible = []
        for number in range(len(sizes)):
            possible += [(number, taken + 1) for taken in range(sizes[number])]
        last = {"first": -1, "second": 1}[mover]
        return Position(mover, 0 if any(sizes) else last, dict(enumerate(sizes)), possible)

    def actions(self, state):
        yield from state.moves

    def result(self, state, move):
        if move in state.moves:
            sizes = list(state.piles.values())
            sizes[move[0]] -= move[1]
            return self.shown({"first": "second"}.get(state.to_move, "first"), sizes)
        raise IllegalMoveError(move)

    def utility(self, state, player):
        return {"first": 1, "second": -1}[player] * state.utility

    def terminal_test(self, state):
        return sum(state.piles.values()) == 0
