"""Record the states that a search generates, and compute those that theory allows.

A `Trace` is a game that stays in the referee: a search in the player asks it for every state and
value, so that the record cannot be forged. Imports `games` only.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from games import Game, GameState, Move, State, TreeGame

Worth: TypeAlias = Callable[[State, Any], float]  # the value of a state for a player


class Trace(Game):
    """A game that records how it is used and answers only about states that it has given out.

    A state that comes back is looked up, so whatever a search has changed in it has no effect.
    """

    def __init__(self, game: Game, *starts: State) -> None:
        """Record the use of `game`; a search may start from its initial state and from `starts`."""
        self.game = game
        self.initial = game.initial
        self.generated: list[State] = []
        self.valued: list[tuple[State, Any]] = []
        self._moves_made: dict[Any, dict[Move, State]] = {}
        self._states = {key_of(state): state for state in (game.initial, *starts)}

    def actions(self, state: State) -> Any:
        """Return the legal moves."""
        return self.game.actions(self._original(state))

    def result(self, state: State, move: Move) -> State:
        """Return the state that a move leads to, and record it as generated."""
        following = self.game.result(self._original(state), move)
        self._states[key_of(following)] = following
        self.generated.append(following)
        self._moves_made.setdefault(key_of(state), {}).setdefault(move, following)
        return following

    def utility(self, state: State, player: Any) -> float:
        """Return a final state's value for `player`, and record the question."""
        self.valued.append((self._original(state), player))
        return self.game.utility(self._original(state), player)

    def terminal_test(self, state: State) -> bool:
        """Return whether the game is over."""
        return self.game.terminal_test(self._original(state))

    def to_move(self, state: State) -> Any:
        """Return the player whose turn it is."""
        return self.game.to_move(self._original(state))

    def minimax_value(
        self, state: State, player: Any, depth: float = math.inf, worth: Worth | None = None
    ) -> float:
        """Return the minimax value of `state` for `player`, by the definition.

        Source: von Neumann 1928; a final state has its utility, any other the best value among
        its children for whoever moves there. A search that looks `depth` plies ahead stops there
        as well; where it stops, `worth(state, player)` stands for the utility if it is given.
        """
        if depth <= 0 or self.game.terminal_test(state):
            return (worth or self.game.utility)(state, player)
        children = [child for _, child in self._children(state)]
        values = [self.minimax_value(child, player, depth - 1, worth) for child in children]
        return max(values) if self.game.to_move(state) == player else min(values)

    def values(
        self, state: State, depth: float = math.inf, worth: Worth | None = None
    ) -> dict[Move, float]:
        """Return the minimax value of each move for the player to move, as `minimax_value` does."""
        player = self.game.to_move(state)
        return {
            move: self.minimax_value(child, player, depth - 1, worth)
            for move, child in self._children(state)
        }

    def minimax_generates(self, state: State, depth: float = math.inf) -> list[State]:
        """Return the states that plain minimax generates from `state`, `depth` plies deep."""
        below = []
        if depth > 0:
            for _, child in self._children(state):
                below += [child, *self.minimax_generates(child, depth - 1)]
        return below

    def alpha_beta_generates(
        self,
        state: State,
        depth: float = math.inf,
        worth: Worth | None = None,
        window: tuple[float, float] = (-math.inf, math.inf),
    ) -> list[State]:
        """Return all states that alpha-beta may generate from `state`, in the recorded move order.

        This is textbook alpha-beta for the player to move in a `window`, cutting on strict
        inequality only; cutting on equality generates a subset (Knuth and Moore 1975). Moves that
        the search never tried are taken last: wherever they matter they are in excess. `depth` and
        `worth` are those of `minimax_value`.
        """
        states, player = list[State](), self.game.to_move(state)

        def value(state: State, alpha: float, beta: float, depth: float) -> float:
            if depth <= 0 or self.game.terminal_test(state):
                return (worth or self.game.utility)(state, player)
            maximizing = self.game.to_move(state) == player
            best = -math.inf if maximizing else math.inf
            for _, child in self._children(state):
                states.append(child)
                below = value(child, alpha, beta, depth - 1)
                if maximizing:
                    best = max(best, below)
                    alpha = max(alpha, best)
                else:
                    best = min(best, below)
                    beta = min(beta, best)
                if alpha > beta:
                    break
            return best

        value(state, *window, depth)
        return states

    def moves_made(self, state: State) -> Mapping[Move, State]:
        """Return each move made in `state`, in order, with the state that it leads to."""
        return self._moves_made.get(key_of(state), {})

    def moves(self, state: State) -> list[Move]:
        """Return the legal moves, those first that were made, in that order."""
        children = self.moves_made(state)
        return [*children, *(move for move in self.game.actions(state) if move not in children)]

    def _children(self, state: State) -> Iterator[tuple[Move, State]]:
        children = self.moves_made(state)
        for move in self.moves(state):
            yield move, children[move] if move in children else self.game.result(state, move)

    def _original(self, state: State) -> State:
        """Return the recorded state that equals this one; ValueError if there is none."""
        if key_of(state) not in self._states:
            raise ValueError("this state is not one that the game has given out")
        return self._states[key_of(state)]


class UnfoldedGame(Game):
    """A game as a tree: a state is the path of moves from `start`, so no two paths ever meet."""

    initial: tuple[Move, ...] = ()

    def __init__(self, game: Game, start: State) -> None:
        """Unfold `game` from the state `start`."""
        self._game = game
        self._states: dict[tuple[Move, ...], State] = {(): start}

    def actions(self, state: tuple[Move, ...]) -> list[Move]:
        """Return the legal moves after a path."""
        return list(self._game.actions(self._at(state)))

    def result(self, state: tuple[Move, ...], move: Move) -> tuple[Move, ...]:
        """Return the path that is one move longer; ValueError for an illegal move."""
        path = *state, move
        self._at(path)
        return path

    def utility(self, state: tuple[Move, ...], player: Any) -> float:
        """Return the utility of a path to the end for `player`."""
        return self._game.utility(self._at(state), player)

    def terminal_test(self, state: tuple[Move, ...]) -> bool:
        """Return whether the game is over after a path."""
        return self._game.terminal_test(self._at(state))

    def to_move(self, state: tuple[Move, ...]) -> Any:
        """Return the player whose turn it is after a path."""
        return self._game.to_move(self._at(state))

    def _at(self, path: tuple[Move, ...]) -> State:
        if path not in self._states:
            self._states[path] = self._game.result(self._at(path[:-1]), path[-1])
        return self._states[path]


class EndsEarly(TreeGame):
    """A tree in which the game ends one ply before the last, although moves are listed there.

    So only `terminal_test` tells the end. The utility of a final state is that of its first leaf.
    """

    def terminal_test(self, state: tuple[int, ...]) -> bool:
        """Return whether the game is over."""
        return len(state) >= self.plies - 1

    def utility(self, state: tuple[int, ...], player: str) -> float:
        """Return the utility of a final state, or of a leaf beyond it, for `player`."""
        return super().utility(state if len(state) == self.plies else (*state, 0), player)


class LastFirst(TreeGame):
    """A tree in which the last move of each state is listed first."""

    def actions(self, state: tuple[int, ...]) -> list[int]:
        """Return the numbers of the children, in no order that `sorted` would give."""
        moves = super().actions(state)
        return moves[-1:] + moves[:-1]


def key_of(state: State) -> Any:
    """Return a hashable key of a state, different for different states."""
    if isinstance(state, GameState):
        return state.to_move, frozenset(state.board.items())
    return state
