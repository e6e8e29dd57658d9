"""What students of the course import: games for two, and the states of those with piles."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NamedTuple

infinity = float("inf")
Player = Callable[["Game", Any], Any]


class IllegalMoveError(ValueError):
    """A move that the rules do not allow in this state."""


class Position(NamedTuple):
    """Who moves, what it is worth to the first player if the game is over, the piles, the moves."""

    to_move: str
    utility: float
    piles: dict[Any, Any]
    moves: list[Any]


class Game(ABC):
    """A game for two who move in turn; what one wins, the other loses."""

    initial: Any

    @abstractmethod
    def actions(self, state: Any) -> Iterable[Any]:
        """Return the legal moves."""

    @abstractmethod
    def result(self, state: Any, move: Any) -> Any:
        """Return the state that a move leads to; IllegalMoveError if it is none."""

    @abstractmethod
    def utility(self, state: Any, player: str) -> float:
        """Return what a final state is worth to a player."""

    def terminal_test(self, state: Any) -> bool:
        """Return whether the game is over."""
        return not list(self.actions(state))

    def to_move(self, state: Any) -> str:
        """Return whose turn it is."""
        return str(state.to_move)

    def play_game(self, *players: Player, initial: Any = None) -> float:
        """Let players move in turn; return what the end is worth to the first."""
        state = self.initial if initial is None else initial
        first, turn = self.to_move(state), 0
        while not self.terminal_test(state):
            state = self.result(state, players[turn % len(players)](self, state))
            turn += 1
        return self.utility(state, first)


class Letters(Game):
    """A figure of textbooks: from A three moves lead to B, C and D, and three more to the end."""

    initial = "A"
    leaves: ClassVar = {  # as MAX sees them
        "B1": 3, "B2": 12, "B3": 8, "C1": 2, "C2": 4, "C3": 6, "D1": 14, "D2": 5, "D3": 2,
    }  # fmt: skip

    def actions(self, state: str) -> list[str]:
        """Return the moves, called by their letter and a number."""
        return [f"{state.lower()}{n}" for n in (1, 2, 3)] if state in tuple("ABCD") else []

    def result(self, state: str, move: str) -> str:
        """Return the letter, or the leaf, that a move leads to."""
        if move not in self.actions(state):
            raise IllegalMoveError(f"{move!r} in state {state!r} is not a legal move")
        return "BCD"[int(move[1]) - 1] if state == "A" else move.upper()

    def utility(self, state: str, player: str) -> float:
        """Return the number at a leaf, or the opposite for MIN."""
        return self.leaves[state] if player == "MAX" else -self.leaves[state]

    def to_move(self, state: str) -> str:
        """Return MAX at the top and MIN below."""
        return "MAX" if state == "A" else "MIN"


class Tree(Game):
    """A tree whose leaves are given in a row; a state is the path that leads to it."""

    initial: tuple[int, ...] = ()

    def __init__(self, leaves: Iterable[float], width: int = 3) -> None:
        """Make a tree in which `width` moves are possible wherever the game is not over."""
        self.leaves, self.width, self.depth = list(leaves), width, 0
        while width**self.depth < len(self.leaves):
            self.depth += 1

    def actions(self, state: tuple[int, ...]) -> list[int]:
        """Return the numbers of the moves."""
        return list(range(self.width)) if len(state) < self.depth else []

    def result(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        """Return the path with one more move."""
        if move not in self.actions(state):
            raise IllegalMoveError(f"{move!r} is not a legal move here")
        return (*state, move)

    def utility(self, state: tuple[int, ...], player: str) -> float:
        """Return the number at a leaf, or the opposite for MIN."""
        place = 0
        for move in state:
            place = place * self.width + move
        return self.leaves[place] if player == "MAX" else -self.leaves[place]

    def to_move(self, state: tuple[int, ...]) -> str:
        """Return MAX at the top, and then in turn."""
        return ("MAX", "MIN")[len(state) % 2]
