"""Choose the computer's moves at five levels of strength.

The instructor's opponent, not a solution: a search over `games.Game` with an estimate by open
lines, and at level 5 the exact solvers, where they answer in time. Decides no mark, prints nothing.
Imported by `play`.
"""

import contextlib
import math
import random
from collections.abc import Callable, Collection
from typing import NamedTuple

from games import ConnectFour, Game, GameState, Move, infinity
from referee.connect_four import Solver
from referee.four_search import UnsolvedError
from referee.oracle import Oracle
from referee.rules import TicTacToe

DEPTHS = {3: 2, 4: 4}  # how many plies a level looks ahead
DEEP = 8  # plies that level 5 looks ahead where no solver answers in time
EXACT_FROM = 16  # pieces on a Connect Four board from which the solver answers for sure
NODES = 300_000  # what the solver may try before: a few seconds
WIN = 1_000_000.0  # more than any estimate


class Rules(NamedTuple):
    """A game, the size of its board, and who knows the best moves, or raises UnsolvedError."""

    game: Game
    rows: int
    columns: int
    k: int
    best_moves: Callable[[GameState], Collection[Move]]


class Choice(NamedTuple):
    """A move, and how it was found."""

    move: Move
    how: str


def tic_tac_toe() -> Rules:
    """Return the usual game, solved from the first move on."""
    return Rules(TicTacToe(), 3, 3, 3, Oracle().best_moves)


def connect_four() -> Rules:
    """Return the usual game, solved for sure when `EXACT_FROM` pieces are on the board."""
    solver = Solver()

    def best_moves(state: GameState) -> Collection[Move]:
        late = len(state.board) >= EXACT_FROM
        return solver.best_moves(state, math.inf if late else NODES)

    return Rules(ConnectFour(), 6, 7, 4, best_moves)


class Opponent:
    """Choose moves at a level from 1, at random, to 5, the best there is."""

    def __init__(self, rules: Rules, level: int, chance: random.Random) -> None:
        """Take everything that is left open from `chance`; ValueError for an unknown level."""
        if level not in range(1, 6):
            raise ValueError(f"there is no level {level}: choose one from 1 to 5")
        self.rules, self.level, self._chance = rules, level, chance
        self._lines = Oracle(rules.rows, rules.columns, rules.k).lines

    def choose(self, state: GameState) -> Choice:
        """Return a legal move in `state`, in which the game is not over."""
        if self.level == 1:
            return Choice(self._chance.choice(self._moves(state)), "at random")
        if self.level == 2:
            return self._watchful(state)
        if self.level == 5:
            with contextlib.suppress(UnsolvedError):
                best = self.rules.best_moves(state)
                return Choice(self._searched(state, DEPTHS[4], best), "by exact values")
        depth = DEPTHS.get(self.level, DEEP)
        legal = list(self.rules.game.actions(state))
        return Choice(self._searched(state, depth, legal), f"after looking {depth} plies ahead")

    def _watchful(self, state: GameState) -> Choice:
        """Win at once, or else prevent that the other does, or else move at random."""
        other = state._replace(to_move="O" if state.to_move == "X" else "X")
        for who, how in (state, "it wins"), (other, "it blocks"):
            for move in self._moves(state):
                if self.rules.game.utility(self.rules.game.result(who, move), who.to_move) > 0:
                    return Choice(move, how)
        return Choice(self._chance.choice(self._moves(state)), "at random")

    def _searched(self, state: GameState, depth: int, wanted: Collection[Move]) -> Move:
        """Return the wanted move of the highest value by alpha-beta search."""
        best, alpha = None, -infinity
        for move in filter(wanted.__contains__, self._moves(state)):
            value = -self._value(self.rules.game.result(state, move), depth - 1, -infinity, -alpha)
            if best is None or value > alpha:
                best, alpha = move, value
        return best

    def _value(self, state: GameState, depth: int, alpha: float, beta: float) -> float:
        """Return the value of `state` for the player to move; a win is worth more the sooner."""
        game = self.rules.game
        if game.terminal_test(state):
            return (WIN + depth) * game.utility(state, state.to_move)
        if depth == 0:
            return self._estimate(state)
        children = [game.result(state, move) for move in self._moves(state, shuffled=False)]
        if any(game.utility(child, state.to_move) > 0 for child in children):
            return WIN + depth - 1
        value = -infinity
        for child in children:
            value = max(value, -self._value(child, depth - 1, -beta, -max(alpha, value)))
            if value >= beta:
                break
        return value

    def _estimate(self, state: GameState) -> float:
        """Count the lines that only one player has pieces in, ten times as much for each more."""
        total = 0
        for line in self._lines:
            held = [state.board[square] for square in line if square in state.board]
            if held and len(set(held)) == 1:
                total += 10 ** len(held) if held[0] == state.to_move else -(10 ** len(held))
        return float(total)

    def _moves(self, state: GameState, shuffled: bool = True) -> list[Move]:
        """Return the legal moves, those in the middle first, in any order where that is equal."""
        moves = list(self.rules.game.actions(state))
        if shuffled:
            self._chance.shuffle(moves)
        return sorted(moves, key=self._from_the_middle)

    def _from_the_middle(self, move: Move) -> float:
        row, column = move if isinstance(move, tuple) else ((self.rules.rows - 1) / 2, move)
        middle = (self.rules.rows - 1) / 2, (self.rules.columns - 1) / 2
        return float(abs(row - middle[0]) + abs(column - middle[1]))
