"""Ask whether what a search is told of its first wrong number is so, and is as small as can be."""

import runpy
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, TypeAlias

import pytest

import games
from adversarial.checks import pruning
from adversarial.diagnosis import explain
from adversarial.games.recorded import Trace
from canvas import first_wrong, recorded
from canvas.first_wrong import by_depth, by_state, smallest
from canvas.search import watch
from canvas.stepper import first_wrong_number
from games import Game
from referee import course
from referee.proof import bank

ROOT = Path(__file__).parents[1]
Search: TypeAlias = Callable[[Game, Any], Any]
CELLS = "minmax_decision", "alpha_beta_search"


def searching(for_max: Callable[[Sequence[float]], float], for_min: Any, sign: int = 1) -> Search:
    """Return a search in which the sides value their children so; with sign -1 by negamax."""

    def search(game: Game, state: Any) -> Any:
        me = game.to_move(state)

        def value(state: Any) -> float:
            mine = game.to_move(state) == me
            if game.terminal_test(state):
                return game.utility(state, me) * (1 if mine else sign)
            below = [sign * value(game.result(state, move)) for move in game.actions(state)]
            return (for_max if mine or sign < 0 else for_min)(below)

        values = {move: sign * value(game.result(state, move)) for move in game.actions(state)}
        return max(values, key=lambda move: values[move])

    return search


@pytest.mark.parametrize(
    ("search", "tree", "why"),
    [
        (
            searching(max, max),
            [[3], [5, 2]],
            "It says that state 1 is worth 5. MIN moves there, and of the children it has said "
            "5, 2: MIN takes the smallest.",
        ),
        (
            searching(max, mean),
            [[2], [1, 4]],
            "It says that state 1 is worth 2.5. MIN moves there, and of the children it has said "
            "1, 4: MIN takes the smallest.",
        ),
        (
            searching(max, lambda values: values[0]),
            [[3], [5, 2]],
            "It says that state 1 is worth 5. MIN moves there, and of the children it has said "
            "5, 2: MIN takes the smallest.",
        ),
        (
            lambda game, state: next(iter(game.actions(state))),
            [[0], [1]],
            "It chooses state 0 and never looks at state 1.",
        ),
    ],
    ids=["both help", "average", "first reply", "first move"],
)
def test_the_first_wrong_number_is_told_on_the_smallest_tree(
    search: Search, tree: Any, why: str
) -> None:
    """Is the local rule told that is broken, where nothing could be left out any more?"""
    found = smallest(watch, search)
    assert found is not None
    assert (found[0], found[2]) == (tree, why)
    assert why in first_wrong_number(search)


def worth(tree: Any, largest: bool = True) -> float:
    if not isinstance(tree, tuple):
        return float(tree)
    values = [worth(child, not largest) for child in tree[1]]
    assert tree[0] == (max(values) if largest else min(values))
    return float(tree[0])


def test_the_values_that_stand_beside_trees_are_theirs() -> None:
    """Is each value right, in the trees and in what they are made smaller to?"""
    for tree in first_wrong.TREES:
        smaller = [tree, *first_wrong._smaller(tree)]
        smaller += [again for one in smaller for again in first_wrong._smaller(one)]
        assert {worth(one) for one in smaller} <= {tree[0], int(tree[0] / 2), int(tree[0] / 2 / 2)}
        assert worth(first_wrong._for(tree, "MIN")) == -tree[0]


def test_nothing_is_told_of_what_is_right() -> None:
    """Do right searches of all styles, and one by negamax, go without a word?"""
    task = course.find_assignment(ROOT, "game-trees")
    assert smallest(watch, searching(max, min)) is None
    assert smallest(watch, searching(max, min, sign=-1)) is None
    for solution in bank.read_all(task):
        if solution.kind == "right":
            names: dict[str, Any] = vars(games) | {"__name__": "notebook"}
            for name, source in solution.sections:
                if name in ("+", *CELLS):
                    exec(source, names)  # noqa: S102 - of the bank
            for name in CELLS:
                if name in names:
                    assert smallest(watch, by_state(names[name])) is None, solution.name


def looking_ahead(
    for_max: Callable[[Sequence[float]], float], side: bool = False, shorter: int = 0
) -> Callable[..., Any]:
    """Return a search of limited depth; at its leaves it asks as the `side` that is to move."""

    def search(game: Game, state: Any, depth: int, estimate: Any) -> Any:
        me = game.to_move(state)

        def value(state: Any, depth: int) -> tuple[float, Any]:
            if depth == shorter:
                return estimate(state, game.to_move(state) if side else me), None
            below = [(game.result(state, move), move) for move in game.actions(state)]
            values = [(value(child, depth - 1)[0], move) for child, move in below]
            return (for_max if game.to_move(state) == me else min)(values)

        return value(state, depth)

    return search


@pytest.mark.parametrize(
    ("search", "tree", "why"),
    [
        (looking_ahead(max), None, None),
        (
            looking_ahead(lambda children: children[0]),
            [[0], [1]],
            "It chooses state 0, of which it has said 0, and of another child 1.",
        ),
        (
            looking_ahead(max, shorter=1),
            None,
            "In Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]) it raised ValueError: state 0 was "
            "estimated, but the search goes on there.",
        ),
        (
            looking_ahead(max, side=True),
            [1],
            "It says that state 0 is worth -1. The tree ends there, and what it is worth to MAX is "
            "1.",
        ),
    ],
    ids=["right", "first move", "a ply short", "leaf for the side to move"],
)
def test_a_search_of_limited_depth_is_told_of_its_numbers_too(
    search: Callable[..., Any], tree: Any, why: str | None
) -> None:
    """Is it asked to look down to the leaves, which it has to estimate, and no further?"""
    found = smallest(watch, by_depth(search))
    assert (found and (found[0], found[2])) == (why and (tree, why))


def test_a_search_may_look_too_far_without_an_error() -> None:
    """Do paths go on below the leaves, each worth what its leaf is, by turns, and never over?"""
    tree = first_wrong.Ahead(games.NestedTree([[3], [5, 2]]))
    assert tree.estimate(tree.result((1, 0), 0), "MIN") == tree.estimate((1, 0), "MIN") == -5
    assert (tree.actions((1, 0)), tree.actions((1,))) == ([0], [0, 1])
    assert (tree.to_move((1, 0, 0)), tree.terminal_test((1, 0, 0))) == ("MIN", False)
    with pytest.raises(ValueError, match="the game is not over in state 10"):
        tree.utility((1, 0), "MAX")


def test_trees_that_are_drawn_are_worth_what_they_say() -> None:
    """Is each value right, and the plies, and are all best moves told, and some that are not?"""
    drawn = first_wrong.drawn_trees()
    for tree, plies, value, best in drawn:
        game = Trace(games.NestedTree(tree))
        values = game.values(())
        assert max(values.values()) == value
        assert [move for move in values if values[move] == value] == best != [*values]
        assert max(map(len, game.minimax_generates(()))) <= plies
    assert drawn == first_wrong.drawn_trees()


def test_what_public_checks_say_of_the_full_tree_is_so() -> None:
    """Are value, best move and the states that alpha-beta needs those of the checks?"""
    game = Trace(games.NestedTree(first_wrong.full_tree()))
    assert game.values(()) == {0: 629, 1: 446}
    assert len(game.alpha_beta_generates(())) == 297
    assert len(game.minimax_generates(())) == 1022


def paths(tree: Any, path: Path = ()) -> list[Path]:
    """Return the paths to the leaves below a path, from left to right."""
    if not isinstance(tree, list):
        return [path]
    return [leaf for i, child in enumerate(tree) for leaf in paths(child, (*path, i))]


def can_be_spared(tree: Any, state: Path, leaf: Path, valued: bool) -> bool:
    """Tell whether the move, or the value, can be known without a leaf and what is right of it.

    From the left a state is left with a leaf unseen once one child of it was seen, or not entered.
    """
    while leaf[-1] == 0:
        leaf = leaf[:-1]
        if leaf == state:
            return False
    *above, number = leaf
    record = Trace(games.NestedTree(tree), state)
    for seen in paths(record.game.at(state), state):
        if seen[: len(above)] != tuple(above) or seen[len(above)] < number:
            for depth in range(len(state), len(seen)):
                record.result(seen[:depth], seen[depth])
            record.utility(seen, record.to_move(state))
    search = pruning.FinishedSearch(record, state)
    lowest, highest = (max(bounds) for bounds in zip(*search.bounds().values(), strict=True))
    return lowest == highest if valued else pruning.is_decided(search)


def test_the_leaves_that_public_checks_expect_are_those_that_matter() -> None:
    """Are they what alpha-beta looks at, and are all those called spare that are not needed?"""
    spare = set()
    for name in ("connect-four", "game-trees", "tic-tac-toe"):
        checks = runpy.run_path(str(next((ROOT / "source" / name).glob("test_*.py"))))
        valued = name == "connect-four"
        rows = checks["PRUNED" if valued else "TREES"]
        for tree, state, *_, leaves in [row for row in rows if row[-1] is not None]:
            game = Trace(games.NestedTree(tree), state)
            seen = [s for s in game.alpha_beta_generates(state) if game.game.terminal_test(s)]
            at = game.game.at
            if len({*leaves}) == len(leaves):
                assert [at(leaf) for leaf in seen] == leaves
                spare |= {at(leaf) for leaf in seen if can_be_spared(tree, state, leaf, valued)}
    assert spare == recorded.SPARE


def test_a_mistake_of_negamax_is_seen_from_its_own_side() -> None:
    """Is a search not blamed for its signs, but for the number that fits no view of them?"""
    found = smallest(watch, searching(mean, None, sign=-1))
    assert found is not None
    assert "children" in found[2]


def test_a_search_that_breaks_down_says_so() -> None:
    """Is an error the first wrong thing where all numbers before it are right?"""
    found = smallest(watch, lambda game, state: state.to_move)
    assert found is not None
    assert found[0] is None
    assert found[2].endswith(
        ") it raised AttributeError: 'tuple' object has no attribute 'to_move'."
    )


def keeping(keep: Callable[[Any, Callable[[], float]], float]) -> Search:
    """Return minimax whose values are what `keep` makes of a state and a function for its value."""

    def search(game: Game, state: Any) -> Any:
        me = game.to_move(state)

        def value(state: Any) -> float:
            if game.terminal_test(state):
                return game.utility(state, me)
            best = max if game.to_move(state) == me else min
            below = (value(game.result(state, move)) for move in game.actions(state))
            return keep(state, lambda: best(below))

        values = {move: value(game.result(state, move)) for move in game.actions(state)}
        return max(values, key=lambda move: values[move])

    return search


def test_a_number_that_a_second_search_does_not_repeat_is_told_as_that() -> None:
    """Is a search that keeps the largest value of all told so, and no number that changes?"""
    kept = [-games.infinity]

    def largest(_: Any, value: Callable[[], float]) -> float:
        kept[0] = max(kept[0], value())
        return kept[0]

    found = smallest(watch, keeping(largest))
    assert found is not None
    assert found[0] is None
    assert found[2].endswith("once more: what does it keep from one search to the next?")


def test_a_wrong_answer_without_a_wrong_number_is_told() -> None:
    """Is a search that goes by values of another tree not told that its answers are right?"""
    known = dict[Any, float]()

    def remembered(state: Any, value: Callable[[], float]) -> float:
        if state not in known:
            known[state] = value()
        return known[state]

    found = smallest(watch, keeping(remembered))
    assert found is not None
    assert found[0] is None
    assert found[2].endswith(" is better. What did it go by?")


FOUND = ([[0, 2], [1]], (0,), "It says 1.", {(0,): 1.0}, {(0,): "≤", (0, 1): "pruned"})


@pytest.mark.parametrize(
    "forged",
    [
        None, "a text", (), FOUND[:4], ([[0, 2], "x"], *FOUND[1:]), ([[]], *FOUND[1:]),
        ([[[[[[[[[1]]]]]]]]], *FOUND[1:]), ([*range(8)], *FOUND[1:]), (None, *FOUND[1:]),
        (*FOUND[:2], "x" * 401, {}, {}), (*FOUND[:3], {(0,): "1"}, {}),
        (*FOUND[:3], {(0,): 10**400}, {}), (FOUND[0], "0", *FOUND[2:]),
        (FOUND[0], (object(),), *FOUND[2:]), (*FOUND[:3], {"0": 1.0}, {}),
        (*FOUND[:3], {(None,): 1.0}, {}), (*FOUND[:4], {(0,): "<"}), (*FOUND[:4], {"0": "≤"}),
    ],
)  # fmt: skip
def test_nothing_forged_is_shown(forged: Any) -> None:
    """Is what a student's process sends shown only in the form and size of a real finding?"""
    assert explain.can_be_shown(FOUND)
    assert not explain.can_be_shown(forged)
