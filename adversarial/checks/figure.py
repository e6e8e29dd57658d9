"""Expectations of searches in small trees, and of answers that are found by hand.

The trees are the textbook's figure 5.2, one like it (the fixture `alike`) and random ones. Plain
functions; a function `expect_...` raises an AssertionError with a sentence that students read.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import pytest

from adversarial.checks.pruning import FinishedSearch
from adversarial.checks.trees import expect_best_in_tree, expect_value, is_number
from adversarial.games.recorded import EndsEarly, LastFirst, Trace
from games import Fig52Game, Game, State, TreeGame
from handout.trees import personal_leaves
from referee.sandbox.outside.student import Proxy, Student

ORDER = [7, 6, 9, 2, 99, 5, 1, 98, 50]  # leaves of a tree whose best move, 0, is listed second
LEAVES = [*Fig52Game.leaves.values()]
TURNED = [LEAVES[n:] + LEAVES[:n] for n in (0, 3, 6)]  # each child of the root comes first in one


def figure(leaves: Sequence[int] = LEAVES, starts: Iterable[State] = "BCD") -> Trace:
    """Return the tree of figure 5.2, recorded, with these leaves and states to start from."""
    values = dict(zip(Fig52Game.leaves, leaves, strict=True))
    return Trace(type("Figure", (Fig52Game,), {"leaves": values})(), *starts)


# --- figure 5.2 ------------------------------------------------------------------------------


def expect_figure_played(player: Proxy, make: Callable[[Trace], Proxy], alike: Trace) -> None:
    """Expect best moves of a player, and of those that `make` makes for this game and another."""

    def expect_best(game: Trace, choose: Callable[[State], Any], where: str) -> None:
        for state in "ABCD" if game.initial == "A" else ((),):
            expect_best_in_tree(game, state, choose(state), where)

    textbook = figure()
    expect_best(textbook, partial(player, textbook), "In the textbook's tree")
    expect_best(textbook, make(textbook).search, "By `search(state)`")
    elsewhere = partial(make(Trace(TreeGame([5, 1, 7, 3], 2))), textbook)
    expect_best(textbook, elsewhere, "If a player was made for one game and is handed another,")
    early = Trace(EndsEarly([5, 9, 6, 7, 3, 99, 4, 98], 2))
    where = "In a tree whose final states list moves, where `terminal_test` alone tells the end,"
    expect_best(early, partial(player, early), where)
    last_first = Trace(LastFirst(ORDER))
    where = "In a tree that does not list its moves in ascending order"
    expect_best(last_first, partial(player, last_first), where)
    expect_best(alike, partial(player, alike), "In a tree with other leaves")


def expect_figure_values(
    make: Callable[[Trace], Proxy], alike: Trace, window: Sequence[float] = ()
) -> None:
    """Expect right values for MAX and MIN in both trees, of players that are made for them.

    Their methods take a `window` and a depth as well, if there is one.
    """

    def expect_right(player: Proxy, game: Trace, name: str, mover: str, state: str) -> None:
        depth = len(state) if len(state) > 1 else int(state != "A" and mover == "MAX")
        answer = getattr(player, name)(state, mover, *_window_and_depth(window, depth))
        expect_value(answer, game.minimax_value(state, mover), f"`{name}` for {mover}")

    for name, mover, states in [
        ("max_value", "MAX", ("A", "B1", "C2", "D3")),
        ("min_value", "MAX", ("B", "C", "D", "D3")),
        ("max_value", "MIN", ("B", "C", "D", "B1")),
        ("min_value", "MIN", ("A", "D3")),
    ]:
        player = make(textbook := figure(starts=("B", "C", "D", "B1", "C2", "D3")))
        for state in states:
            expect_right(player, textbook, name, mover, state)
    for state in "ABCD":  # each by a player of its own: nothing is left of the search before
        expect_right(make(alike), alike, "max_value" if state == "A" else "min_value", "MAX", state)


def _window_and_depth(window: Sequence[float], depth: int) -> Sequence[float]:
    """Return what a method is told after the state and the player."""
    return (*window, depth) if window else ()


# --- other trees -----------------------------------------------------------------------------


def searches_of(trees: Iterable[Game]) -> Iterator[FinishedSearch]:
    """Yield the searches of trees, to be made: for MAX at the root, and for MIN at a child of it.

    A child that is a leaf is left out.
    """
    for tree in trees:
        yield FinishedSearch(Trace(tree), ())
        if not tree.terminal_test((0,)):
            yield FinishedSearch(Trace(tree, (0,)), (0,))


def expect_values_in_trees(
    make: Callable[[Trace], Proxy], trees: Iterable[Game], window: Sequence[float] = ()
) -> list[FinishedSearch]:
    """Expect right values of `max_value` in trees, for MAX and MIN, and best moves of MIN.

    Each tree has a player of its own, made by `make`. Returns the searches for values.
    """
    searches = [*searches_of(trees)]
    for game, state, *_ in searches:
        mover = game.to_move(state)
        answer = make(game).max_value(state, mover, *_window_and_depth(window, 0))
        expect_value(answer, game.minimax_value(state, mover), "`max_value` on a random tree")
        if mover == "MIN" or game.game.terminal_test((0,)):  # MAX's moves are asked elsewhere
            again = Trace(game.game, state)
            expect_best_in_tree(again, state, make(again)(again, state))
    return searches


# --- answers that are found by hand ----------------------------------------------------------


def answer_in(student: Student, name: str) -> Any:
    """Return the notebook's value with this name; fail the check if it is not defined."""
    try:
        return getattr(student, name)
    except Exception as error:
        if f"`{name}` is not defined" in str(error) and "NotImplementedError" in str(error):
            pytest.fail(f"Not written yet: the notebook does not define `{name}`.")
        raise


def written_id(student: Student, student_id: str, by_hand: Callable[[str], None], what: str) -> str:
    """Return the id in the notebook; another's leaves the mark to a human."""
    answer = answer_in(student, "student_id")
    assert type(answer) is str, '`student_id` must be a text: write it between quotes, "...".'
    try:
        personal_leaves(answer)
    except ValueError:
        pytest.fail(f"`student_id` is {answer[:60]!r}: write your own between the quotes.")
    if student_id and answer.strip().casefold() != student_id.strip().casefold():
        by_hand(
            f"`student_id` is {answer[:60]!r}, and this was handed in by {student_id!r}. The "
            f"answers were compared with the {what} of {answer[:60]!r}; the teacher decides."
        )
    return answer


def expect_answer(student: Student, name: str, numbers: Any) -> None:
    """Expect that this name in the notebook is a number, or a list or dict of numbers."""
    expect_numbers(answer_in(student, name), numbers, name)


def expect_numbers(answer: Any, numbers: Any, name: str) -> None:
    """Expect a number, or a list or dict of numbers."""
    if isinstance(numbers, dict):
        assert type(answer) is dict, f"`{name}` must be a dict."
        missing_keys = [key for key in numbers if key not in answer]
        assert not missing_keys, f"`{name}` has no key {missing_keys[0]!r}."
        assert len(answer) == len(numbers), f"`{name}` has more keys than {', '.join(numbers)}."
        for key, number in numbers.items():
            expect_numbers(answer[key], number, f"{name}[{key!r}]")
    elif isinstance(numbers, list):
        assert type(answer) in (list, tuple), f"`{name}` must be a list."
        count = len(numbers)
        assert len(answer) == count, f"`{name}` must be a list of {count} numbers."
        for i, number in enumerate(numbers):
            expect_numbers(answer[i], number, f"{name}[{i}]")
    else:
        assert type(answer) is not str, f"`{name}` is a text: write the number without quotes."
        assert is_number(answer), f"`{name}` must be a number."
        assert answer == numbers, f"`{name}` is not right."
