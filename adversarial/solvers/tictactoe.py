"""Compute the exact value of positions of an m,n,k game, by its definition (von Neumann 1928).

Shares no code with any solution. All positions of 3x3 take a fifth of a second; larger boards need
few free squares.
"""

import functools
import hashlib
import math
import random
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import product

from adversarial.games.rules import TicTacToe, lines
from games import GameState

Square = tuple[int, int]
Board = frozenset[tuple[Square, str]]


class Oracle:
    """Exact values and all best moves on a board of `rows` x `columns`, `k` in a row winning."""

    def __init__(self, rows: int = 3, columns: int = 3, k: int = 3) -> None:
        """Lay out the board and its winning lines."""
        self.rows, self.columns = rows, columns
        self._game = TicTacToe(rows, columns, k)
        self.squares: list[Square] = [*self._game.initial.moves]
        self.lines = lines(rows, columns, k)
        self._after: dict[Board, dict[Square, GameState]] = {}
        self._values: dict[Board, int] = {}

    # --- boards ------------------------------------------------------------------------------

    @cached_property
    def _states(self) -> dict[Board, GameState]:
        """Return the states that play can reach, those with fewer pieces first."""
        todo = [self._game.initial]
        states = {_board(state): state for state in todo}
        for state in todo:
            for after in self._following(state).values():
                if (board := _board(after)) not in states:
                    states[board] = after
                    todo.append(after)
        return states

    def _following(self, state: GameState) -> dict[Square, GameState]:
        """Return the state that each legal move leads to."""
        if (board := _board(state)) not in self._after:
            self._after[board] = {move: self._game.result(state, move) for move in state.moves}
        return self._after[board]

    # --- values and moves --------------------------------------------------------------------

    def value(self, state: GameState) -> int:
        """Return the value of a state for X: +1 X wins, 0 draw, -1 O wins, with best play."""
        if (board := _board(state)) not in self._values:
            below = [self.value(after) for after in self._following(state).values()]
            pick = max if state.to_move == "X" else min
            self._values[board] = pick(below) if below else int(state.utility)
        return self._values[board]

    def values(self, state: GameState) -> dict[Square, int]:
        """Return the value of each legal move for the player to move; empty when it is over."""
        sign = 1 if state.to_move == "X" else -1
        return {move: sign * self.value(after) for move, after in self._following(state).items()}

    def best_moves(self, state: GameState) -> set[Square]:
        """Return all moves of the highest value; empty when the game is over."""
        values = self.values(state)
        return {move for move, value in values.items() if value == max(values.values())}

    # --- pools that hidden checks draw from ----------------------------------------------------

    def states(self) -> list[GameState]:
        """Return every state that play from the empty board can reach, final ones included."""
        return list(self._states.values())

    def open_states(self) -> list[GameState]:
        """Return every reachable state in which there is a move to make."""
        return [state for state in self.states() if state.moves]

    def secret(self, states: Iterable[GameState]) -> list[GameState]:
        """Keep the states that no explanation shows to students; hidden checks draw from these."""
        return [state for state in states if not shown(state)]

    def one_of_each(self, states: Iterable[GameState], chance: random.Random) -> list[GameState]:
        """Draw one state of each class that is equal by turning or reflecting the board."""
        down, right = self.rows - 1, self.columns - 1
        alike: dict[frozenset[Board], list[GameState]] = {}
        for state in states:
            pieces = state.board.items()
            images = [
                {(abs(row - up), abs(column - left)): player for (row, column), player in pieces}
                for up, left in product((0, down), (0, right))
            ]
            if self.rows == self.columns:
                images += [{square[::-1]: one[square] for square in one} for one in images]
            alike.setdefault(frozenset(frozenset(one.items()) for one in images), []).append(state)
        return [chance.choice(kind) for kind in alike.values()]

    @cached_property
    def win_in_one(self) -> list[GameState]:
        """Return the states whose only best move wins at once."""
        return [s for s, move in self._single_best if move in self._threats(s, mine=True)]

    @cached_property
    def block(self) -> list[GameState]:
        """Return the states whose only best move takes the one square where the other would win."""

        def must_block(state: GameState, move: Square) -> bool:
            wins, blocks = self._threats(state, mine=True), self._threats(state, mine=False)
            return not wins and move in blocks

        return [state for state, move in self._single_best if must_block(state, move)]

    @cached_property
    def win_in_two(self) -> list[GameState]:
        """Return the states whose only best move wins by force, but not at once and not by a block.

        The move makes two threats; nobody threatens anything before it.
        """

        def is_fork(state: GameState, move: Square) -> bool:
            quiet = not self._threats(state, mine=True) and not self._threats(state, mine=False)
            return quiet and len(self._threats(self._game.result(state, move), mine=False)) >= 2

        return [state for state, move in self._single_best if is_fork(state, move)]

    def luring(self, states: Iterable[GameState]) -> list[GameState]:
        """Keep the states in which averaging over replies takes a worse move for a best one."""
        return self._misleading(states, math.inf, lambda hopes: sum(hopes) / len(hopes))

    def hurried(self, states: Iterable[GameState], plies: int) -> list[GameState]:
        """Keep the states in which a search of `plies` takes a worse move for a best one.

        Such a search, of 1 ply at least, values an unfinished game as a draw.
        """
        return self._misleading(states, plies, min)

    @cached_property
    def _single_best(self) -> list[tuple[GameState, Square]]:
        """Return the states with two or more moves and a single best one, with that move."""
        pairs = [(state, self.best_moves(state)) for state in self.states()]
        return [(state, min(best)) for state, best in pairs if len(best) == 1 < len(state.moves)]

    def _threats(self, state: GameState, mine: bool) -> list[Square]:
        """Return the squares where the player to move, or else the other, would win."""
        other = "O" if state.to_move == "X" else "X"
        position = state if mine else state._replace(to_move=other)
        return [move for move in state.moves if self._game.result(position, move).utility]

    def _misleading(
        self,
        states: Iterable[GameState],
        plies: float,
        replies: Callable[[list[float]], float],
    ) -> list[GameState]:
        """Keep the states in which a worse move leads to where the player has most to hope.

        `replies` makes a hope of those after each reply; so many plies ahead it is the utility.
        """

        @functools.cache
        def hope(board: Board, player: str, depth: float) -> float:
            state = self._states[board]
            if depth == 0 or not state.moves:
                return self._game.utility(state, player)
            below = [hope(_board(s), player, depth - 1) for s in self._following(state).values()]
            return max(below) if state.to_move == player else replies(below)

        def misleads(state: GameState) -> bool:
            following = self._following(state).items()
            hopes = {move: hope(_board(one), state.to_move, plies - 1) for move, one in following}
            top = max(hopes.values()) - 1e-9
            return not {move for move in hopes if hopes[move] >= top} <= self.best_moves(state)

        return [state for state in states if misleads(state)]


def _board(state: GameState) -> Board:
    return frozenset(state.board.items())


def shown(state: GameState) -> bool:
    """Return whether explanations may show a position; hidden checks draw from the other half.

    The halves are told apart by a digest of the board, so a position is always in the same one.
    """
    text = "".join(f"{square}{state.board[square]}" for square in sorted(state.board))
    return hashlib.sha256(text.encode()).digest()[0] % 2 == 0
