"""Give the checks of the searches the trees and boards that are drawn by lot."""

import random

import pytest

from adversarial.checks.fixtures import (  # noqa: F401
    alike,
    board_trees,
    fast_tictactoe,
    trees,
    visitor,
)
from adversarial.games.rules import TicTacToe
from games import GameState


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
