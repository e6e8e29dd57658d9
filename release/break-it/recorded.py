"""Note the states that a search generates, and what outlives a call: for checks."""

import inspect
from collections.abc import Iterator, Mapping
from operator import attrgetter
from types import FunctionType
from typing import Any

from games import Game, Move, State

notebook: dict[str, Any] = {}  # the names there, if this is sent to a student's process


class RecordedGame(Game):
    """Another game, whose `actions` are a generator, and a list of the states generated in it."""

    utility: Any = property(attrgetter("wrapped.utility"))
    terminal_test: Any = property(attrgetter("wrapped.terminal_test"))
    to_move: Any = property(attrgetter("wrapped.to_move"))

    def __init__(self, game: Game) -> None:
        """Start with an empty list."""
        self.wrapped, self.initial = game, game.initial
        self.generated: list[State] = []

    def actions(self, state: State) -> Iterator[Move]:
        """Offer the moves one after the other."""
        yield from self.wrapped.actions(state)

    def result(self, state: State, move: Move) -> State:
        """Return the real game's state, and record it."""
        self.generated.append(self.wrapped.result(state, move))
        return self.generated[-1]

    def below(self, state: State) -> list[State]:
        """Return the states below a state, each as often as there are ways to come to it."""
        if self.wrapped.terminal_test(state):
            return []
        children = [self.wrapped.result(state, move) for move in self.wrapped.actions(state)]
        return [one for child in children for one in (child, *self.below(child))]


class LastFirst(RecordedGame):
    """The same with the moves listed from the last one to the first."""

    def actions(self, state: State) -> Iterator[Move]:
        """Offer the moves one after the other."""
        yield from reversed(list(self.wrapped.actions(state)))


def kept(names: Mapping[str, Any] | None = None) -> dict[str, int]:
    """Return hashes of what outlives a call: plain variables, those of classes, and defaults."""
    values = notebook if names is None else names
    variables = {f"`{name}`": one for name, one in values.items() if not name.startswith("_")}
    for kind in [one for one in values.values() if isinstance(one, type)]:
        if kind.__module__ == "__main__":
            variables |= {f"`{kind.__name__}.{name}`": one for name, one in vars(kind).items()}
    for function in [one for one in variables.values() if isinstance(one, FunctionType)]:
        for name, part in inspect.signature(function, follow_wrapped=False).parameters.items():
            variables[f"`{name}=...` of {function.__name__}"] = part.default
    plain = (list, dict, set, int, float)
    return {name: hash(repr(one)) for name, one in variables.items() if type(one) in plain}
