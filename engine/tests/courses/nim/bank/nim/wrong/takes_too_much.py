"""Whoever wants more than there is gets what there is.

Cell: Nim
Caught by: test_illegal
Frequent: no
"""


# %% Nim
class Nim(Game):
    def __init__(self, *sizes):
        self.initial = self.position("first", dict(enumerate(sizes or (1, 2, 3))))

    def position(self, to_move, piles):
        moves = [(pile, count) for pile, size in piles.items() for count in range(1, size + 1)]
        return Position(to_move, 0 if moves else -1 if to_move == "first" else 1, piles, moves)

    def actions(self, state):
        return state.moves

    def result(self, state, move):
        pile, count = move
        left = {**state.piles, pile: max(0, state.piles[pile] - count)}
        return self.position("second" if state.to_move == "first" else "first", left)

    def utility(self, state, player):
        return state.utility if player == "first" else -state.utility
