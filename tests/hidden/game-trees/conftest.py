"""Fixtures that the checks of game-trees share."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from adversarial.fixtures import (  # noqa: F401
    alike,
    ask_each,
    board_tree,
    call_and_look,
    corridors,
    drop_tree,
    fast_connect_four,
    fast_tictactoe,
    four_oracle,
    oracle,
    tictactoe,
    trace,
)  # fmt: skip
from games import Fig52Game, TreeGame, personal_leaves


@pytest.fixture
def answer(student: Any) -> Callable[[str], Any]:
    """Give `answer(name)`: what the notebook calls so, or a sentence if it was not written yet."""

    def ask(name: str) -> Any:
        try:
            return getattr(student, name)
        except Exception as error:
            told = str(error)
            if f"`{name}` is not defined" in told and "NotImplementedError" in told:
                pytest.fail(f"Not written yet: the notebook does not define `{name}`.")
            raise

    return ask


def expect_number(value: Any, expected: float, what: str) -> None:
    assert type(value) is not str, f"{what} is a text: write the number without quotes."
    assert type(value) in (int, float), f"{what} must be a number."
    assert value == expected, f"{what} is not right."


@pytest.fixture
def expect_numbers() -> Callable[[Any, Any, str], None]:
    """Give `expect_numbers(found, expected, name)` for a number, or for a list or dict of some."""

    def expect(found: Any, expected: Any, name: str) -> None:
        if isinstance(expected, dict):
            assert type(found) is dict, f"`{name}` must be a dict."
            missing = [key for key in expected if key not in found]
            assert not missing, f"`{name}` has no key {missing[0]!r}."
            for key, value in expected.items():
                expect_number(found[key], value, f"`{name}[{key!r}]`")
        elif isinstance(expected, list):
            assert type(found) in (list, tuple), f"`{name}` must be a list."
            count = len(expected)
            assert len(found) == count, f"`{name}` must be a list of {count} numbers."
            for i, value in enumerate(expected):
                expect_number(found[i], value, f"`{name}[{i}]`")
        else:
            expect_number(found, expected, f"`{name}`")

    return expect


@pytest.fixture
def own_tree(answer: Any, student_id: str, trace: Any) -> Any:
    """Give the tree of the student who handed in, recorded; fail if the notebook has another's."""
    written = answer("student_id")
    assert type(written) is str, '`student_id` must be a text: write it between quotes, "...".'
    if student_id:
        same = written.strip().casefold() == student_id.strip().casefold()
        assert same, (
            f"`student_id` is {written[:60]!r}, but this was handed in by {student_id!r}. Write "
            f"{student_id!r} there: the answers must be those for your own tree."
        )
    try:
        return trace(TreeGame(personal_leaves(written)))
    except ValueError:
        pytest.fail(f"`student_id` is {written[:60]!r}: write your own between the quotes.")


@pytest.fixture
def expect_figure(trace: Any, alike: Any) -> Callable[[Any], None]:
    """Give `expect_figure(search)`: the best move in the states of the textbook's tree."""

    def expect(search: Any) -> None:
        game = trace(Fig52Game(), "A", "B", "C", "D")
        best = {"A": "a1", "B": "b1", "C": "c1", "D": "d3"}
        moves = {state: search(state, game) for state in best}
        odd = [state for state in best if moves[state] not in game.actions(state)]
        assert not odd, (
            f"In {len(odd)} of the 4 states the answer is no legal move: return a move, such as "
            "'a2', and neither a value nor a state."
        )
        wrong = [state for state, move in best.items() if moves[state] != move]
        assert not wrong, f"In {len(wrong)} of the 4 states another move is better there."
        other, best = alike
        wrong = [state for state, move in best.items() if search(state, other) != move]
        assert not wrong, "In a tree with other leaves another move is better: ask the game."

    return expect


@pytest.fixture
def trees(chance: Any, corridors: Any) -> list[Any]:
    """Give 21 trees of one to nine plies, with leaves of every kind: also all below zero."""

    def full(branching: int, plies: int, values: Sequence[float]) -> TreeGame:
        return TreeGame(chance.sample(values, branching**plies), branching)

    shapes = [(2, 3), (2, 4), (3, 2), (3, 3), (5, 2)]
    return [
        *(full(*shape, range(-99, 100)) for shape in shapes),
        *(full(*shape, range(-99, 0)) for shape in shapes),
        *(full(*shape, [*range(-5, 6)] * 9) for shape in [(3, 3), (3, 3), (2, 4), (5, 2)]),
        *(full(*shape, range(2_000, 99_000)) for shape in [(3, 2), (2, 3), (3, 3)]),
        full(2, 5, [number / 8 for number in range(-99, 100)]),
        full(4, 1, range(-9, 10)),
        full(3, 4, range(-999, 1000)),
        corridors(chance.sample(range(100), 4), 9),
    ]


@pytest.fixture
def expect_best_in_trees(trace: Any, trees: Any) -> Callable[[Any], None]:
    """Give `expect_best_in_trees(search)`: a best move at the root and below it, in 21 trees."""

    def expect(search: Any) -> None:
        for tree in trees:
            game = trace(tree, (0,))
            for state, mover in [((), "MAX"), ((0,), "MIN")]:
                moves = game.actions(state)
                if not moves:
                    continue
                move = search(state, game)
                assert move in moves, f"In a tree where {mover} moves the answer is no legal move."
                values = [game.minimax_value(tree.result(state, m), mover) for m in moves]
                assert values[moves.index(move)] == max(values), (
                    f"In a tree with {moves[-1] + 1} moves in the state asked about, where {mover} "
                    "is to move, another move is better."
                )

    return expect


@pytest.fixture
def board_trees(chance: Any, oracle: Any, board_tree: Any) -> list[Any]:
    """Give the recorded trees of six boards, with X and with O to move at the root.

    Their paths are not equally long.
    """
    roots = [state for state in oracle().open_states() if len(state.moves) in (3, 4)]
    return [
        board_tree(1, 4, 2),
        *(board_tree(start=start) for mover in "XO" for start in _some(chance, roots, mover)),
        board_tree(2, 2, 2),
    ]


def _some(chance: Any, states: Any, mover: str) -> list[Any]:
    return list(chance.sample([state for state in states if state.to_move == mover], 2))


@pytest.fixture
def expect_best_on_boards(
    chance: Any, oracle: Any, ask_each: Any, fast_tictactoe: Any
) -> Callable[[Any], None]:
    """Give `expect_best_on_boards(search)`: a best move in 60 tic-tac-toe positions.

    In a third of them every move loses; the moves come from a generator.
    """

    def expect(search: Any) -> None:
        few = [state for state in oracle().open_states() if 2 <= len(state.moves) <= 5]
        worth = {id(state): set(oracle().values(state).values()) for state in few}
        lost = [state for state in few if worth[id(state)] == {-1}]
        clear = [state for state in few if len(worth[id(state)]) > 1]
        states = chance.sample(oracle().secret(clear), 40) + chance.sample(lost, 20)
        game = fast_tictactoe(lazy=True)
        moves = ask_each(search, [(state, game) for state in states])
        pairs = list(zip(states, moves, strict=True))
        odd = [state for state, move in pairs if move not in state.moves]
        assert not odd, f"In {len(odd)} of 60 positions of tic-tac-toe it gave no legal move."
        worse = [state for state, move in pairs if move not in oracle().best_moves(state)]
        assert not worse, f"In {len(worse)} of 60 positions of tic-tac-toe another move is better."

    return expect
