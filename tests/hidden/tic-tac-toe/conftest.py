"""Give the checks of the searches the trees and boards that are drawn by lot."""

import random
from collections.abc import Sequence

import pytest

from adversarial.checks.fixtures import alike, board_trees, fast_tictactoe, visitor  # noqa: F401
from adversarial.checks.trees import corridors, random_tree, seen_by_min, traps, uneven_trees, zeros
from adversarial.games.recorded import Trace
from adversarial.games.rules import TicTacToe
from games import Game, GameState, NestedTree, TreeGame


@pytest.fixture
def trees(chance: random.Random) -> list[Game]:
    """Give 62 trees: of up to 13 plies, with leaves that are far apart, close together, huge,
    fractions, or wins, draws and defeats, and with a draw that decides at each level.

    Where leaves are close together, a cut too many or a value rounded shows the most often.
    """
    shapes = [(2, 3), (2, 4), (3, 2), (3, 3), (4, 2), (5, 2)]
    usual = [random_tree(chance, *shape, range(-99, 100)) for shape in shapes * 2]
    close = [random_tree(chance, *shape, [*range(-3, 4)] * 9) for shape in [(3, 3), (2, 4)]]
    halves = [n / 2 for n in range(-5, 6)] * 9
    close += [random_tree(chance, 5, 2, halves) for _ in range(7)]
    close += [_misleading(chance, halves) for _ in range(3)]
    fractions = random_tree(chance, 2, 5, [number / 8 for number in range(-99, 100)])
    large = random_tree(chance, 3, 4, range(-999, 1000))
    deep = random_tree(chance, 2, 7, range(-999, 1000))
    long = corridors(chance.sample(range(100), 4), 8)
    longer = corridors(chance.sample(range(100), 3), 12)
    results = [random_tree(chance, 3, 3, [-1, 0, 1] * 9) for _ in range(3)]
    decided = map(seen_by_min, traps(chance))
    drawn = [*usual, *close, *decided, fractions, large, deep, long, longer, *results]
    return [*drawn, *uneven_trees(chance), *map(NestedTree, zeros())]


def _misleading(chance: random.Random, leaves: Sequence[float]) -> TreeGame:
    """Return a tree in which the first move that is best without its fraction is not the best."""
    while True:
        tree = random_tree(chance, 5, 2, leaves)
        values = Trace(tree).values(())
        if values[max(values, key=lambda move: int(values[move]))] < max(values.values()):
            return tree


@pytest.fixture
def large_boards(chance: random.Random) -> list[GameState]:
    """Give ten positions of the 4x4 board, four in a row, with four free squares."""
    game = TicTacToe(4, 4, 4)
    boards: list[GameState] = []
    while len(boards) < 10:
        state = game.initial
        while len(state.moves) > 4:
            state = game.result(state, chance.choice(state.moves))
        boards += [state] if state.moves else []
    return boards
