"""Give the checks of break-it the student's own suspects, and what their trees kill."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from adversarial.checks.figure import answer_in, written_id
from adversarial.checks.own_trees import MOST_MUTANTS, Alone, Kills, expect_own_trees, kills
from adversarial.checks.suspects import Drawn, drawn
from adversarial.checks.trees import random_tree
from adversarial.games.recorded import Trace


@pytest.fixture
def suspects(student: Any, student_id: str, by_hand: Callable[[str], None]) -> Drawn:
    """Give the suspects of the id in the notebook; another's leaves the mark to a human."""
    return drawn(written_id(student, student_id, by_hand, "suspects"))


@pytest.fixture
def trees(chance: random.Random) -> list[Trace]:
    """Give 20 trees of two to five plies, with leaves of both signs, or all below zero."""
    shapes = [(3, 2), (2, 3), (3, 3), (2, 4), (2, 5)] * 2
    return [
        Trace(random_tree(chance, *shape, leaves))
        for leaves in (range(-99, 100), range(-99, 0))
        for shape in shapes
    ]


@pytest.fixture(scope="module")
def counted() -> dict[str, Kills]:
    """Give what was counted already, by the code and the trees, for three checks ask the same."""
    return {}


@pytest.fixture
def killed(
    student: Any, mutants: Callable[[str, int], list[Any]], alone: Alone, counted: dict[str, Kills]
) -> Callable[[], Kills]:
    """Give a function that counts which mutants of the student's search their trees kill."""

    def count() -> Kills:
        answer_in(student, "alpha_beta_search")
        trees = expect_own_trees(answer_in(student, "my_trees"))
        made = mutants("my_search", MOST_MUTANTS)
        return counted.get(key := repr((trees, made))) or counted.setdefault(
            key, kills(trees, made, alone)
        )

    return count
