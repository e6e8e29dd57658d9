"""Mutants of alpha-beta: copies with one small change, the same for everybody, and what kills them.

A tree kills a mutant if the mutant does anything else there than alpha-beta: it makes a move that
is worth more or less, looks at other states, or raises an error. Random trees of the form that is
handed in kill 12 of the 40 in the mean, and hardly ever more than 28.
"""

from typing import Any

from adversarial.checks.suspects import fault_in_tree, leaves, table
from adversarial.games.recorded import Trace
from adversarial.search import edited, search_text
from games import NestedTree

MOST_TREES, MOST_LEAVES = 6, 20
WORDS = {  # what stands for the game in the listing that students read
    "game.to_move(state)": "who moves at the root",
    "game.terminal_test(state)": "the game is over",
    "game.utility(state, player)": "its worth for player",
    "game.actions(state)": "its moves",
    "game.result(state, move)": "the state after move",
    "def ": "",
}


def mutants() -> list[tuple[str, str]]:
    """Return each mutant: what stands in the search once, and what takes its place."""
    return [(old, new) for old, changed in table()["mutants"].items() for new in changed]


def expect_small_trees(trees: Any, numbers: list[int]) -> list[Any]:
    """Expect a list of a few trees whose leaves are among a student's numbers, and return it."""
    assert type(trees) is list, "`my_trees` must be a list of trees."
    assert trees, "`my_trees` is empty."
    assert len(trees) <= MOST_TREES, f"`my_trees` holds more than {MOST_TREES} trees."
    for i, tree in enumerate(trees):
        assert not (fault := fault_in_tree(tree)), f"`my_trees[{i}]` {fault}."
        other = [leaf for leaf in leaves(tree) if leaf not in numbers]
        assert not other, f"`my_trees[{i}]` has the leaf {other[0]}, which is none of your numbers."
    count = sum(len(leaves(tree)) for tree in trees)
    assert count <= MOST_LEAVES, (
        f"`my_trees` have {count} leaves together, and may have {MOST_LEAVES}."
    )
    return trees


def expect_killed(trees: list[Any], least: int) -> None:
    """Expect that trees kill so many mutants."""
    right = [does(tree) for tree in trees]
    every = mutants()
    alive = [one for one in every if [does(tree, one) for tree in trees] == right]
    lines: dict[int, list[str]] = {}
    for line, text in (changed_line(*one) for one in alive):
        lines.setdefault(line, []).append(f"`{text}`")
    told = "; ".join(f"line {line} as {' or '.join(texts)}" for line, texts in lines.items())
    assert len(every) - len(alive) >= least, (
        f"Your trees kill {len(every) - len(alive)} mutants. Alive: {told}."
    )


def does(tree: Any, *edits: tuple[str, str]) -> tuple[Any, list[Any]]:
    """Return the worth of a search's move in a tree, or its error, and the states it generates."""
    game = Trace(NestedTree(tree))
    try:
        move = edited(edits)(game, ())
    except TypeError as error:
        return str(error), game.generated
    return game.values(()).get(move), game.generated


def listing() -> list[str]:
    """Return the lines of the search as students read them; the first is empty, and has number 0.

    Words stand for what it asks the game.
    """
    return _in_words(search_text())


def _in_words(text: str) -> list[str]:
    for name, words in WORDS.items():
        text = text.replace(name, words)
    return text.splitlines()


def changed_line(old: str, new: str) -> tuple[int, str]:
    """Return the number of the line in which a mutant differs, and what stands there."""
    right, changed = listing(), _in_words(search_text(((old, new),)))
    line = next(i for i, text in enumerate(right) if text != changed[i])
    return line, changed[line].strip()
