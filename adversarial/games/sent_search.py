"""Search trees with some code, inside a process in which nothing else of the student's has run.

The referee sends this file there. What comes back is what the code says: only for code that is
asked what it does, and not whether it is right.
"""

import ast
import random
from typing import Any

import games
from games import NestedTree

MOST = 300  # states that a search may generate


class Noted(NestedTree):
    """A tree that notes the states that a search generates."""

    def __init__(self, tree: Any) -> None:
        """Begin with none."""
        super().__init__(tree)
        self.generated: list[tuple[int, ...]] = []

    def result(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        """Return a state, and note it; RuntimeError if there are too many."""
        if len(self.generated) >= MOST:
            raise RuntimeError("it does not end")
        self.generated.append(super().result(state, move))
        return self.generated[-1]


def searched(source: str, trees: list[Any], idle: bool = False) -> list[Any]:
    """Return what a search in this code does in each tree: its move, and the states it generates.

    If it breaks down, the class of the error stands in place of the move. With `idle`, lines are
    added to the code that do nothing.
    """
    names = {name: getattr(games, name) for name in games.__all__}
    try:
        source = with_idle_lines(source) if idle else source
        exec(source, names)  # noqa: S102 - that is what this process is for
    except Exception as error:
        return [[type(error).__name__, []]] * len(trees)
    return [_search(names, Noted(tree)) for tree in trees]


def with_idle_lines(source: str) -> str:
    """Return the code with a line that does nothing at the beginning of each function."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            start = 0 if ast.get_docstring(node) is None else 1
            node.body[start:start] = ast.parse("idle_line_ = None").body
    return ast.unparse(tree)


def _search(names: dict[str, Any], game: Noted) -> list[Any]:
    random.seed(0)  # so that chance decides no mark
    try:
        move = names["alpha_beta_search"](game.initial, game)
    except Exception as error:
        move = type(error).__name__
    plain = move if type(move) in (int, str) else type(move).__name__
    return [plain, [list(state) for state in game.generated]]
