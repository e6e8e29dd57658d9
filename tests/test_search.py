"""Ask whether the record of a search is what it did, and its picture what the record says."""

import random
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from solution import AlphaBeta, MiniMax, TicTacToe
from textbook import NEGAMAX

import canvas.search
from adversarial.diagnosis.slips import HARD
from adversarial.games.recorded import Trace
from adversarial.search import edited
from canvas import Canvas_search
from canvas.drawing import Node
from canvas.search import WatchedSearch, number, watch
from games import Fig52Game, Game, GameState, TreeGame, infinity, state_from

LAW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # no clock in a law
ALL = ["B", "B1", "B2", "B3", "C", "C1", "C2", "C3", "D", "D1", "D2", "D3"]
NEEDED = [name for name in ALL if name not in ("C2", "C3")]
LEAVES = st.lists(st.integers(-9, 9), min_size=27, max_size=27)
negamax = edited(NEGAMAX)  # which prunes: values are for the player to move, or bounds of them


def best(game: Game, state: Any, player: str) -> float:
    """Return the value of a state by its definition."""
    return Trace(game, state).minimax_value(state, player)


def decide(state: Any, game: Game) -> Any:
    """Decide as minimax does, with functions inside a function and the state first."""

    def value(state: Any) -> float:
        if game.terminal_test(state):
            return game.utility(state, player)
        choose = max if game.to_move(state) == player else min
        return choose(value(game.result(state, move)) for move in game.actions(state))

    player = game.to_move(state)
    return max(game.actions(state), key=lambda move: value(game.result(state, move)))


def pairs(game: Game, state: Any, depth: int = 9, way: int = 1) -> Any:
    """Return the best value and its move, by negamax, or the other `way` round."""
    player = game.to_move(state)
    if depth == 0 or game.terminal_test(state):
        return (game.utility(state, player), None)[::way]
    below = [(pairs(game, game.result(state, m), depth - 1, way), m) for m in game.actions(state)]
    return max(((-pair[::way][0], m) for pair, m in below), key=lambda option: option[0])[::way]


def by_stack(game: Game, state: Any) -> Any:
    """Visit everything without recursion, so that no call tells a value, and take the last move."""
    todo = [state]
    for here in todo:  # which grows
        todo += [game.result(here, move) for move in game.actions(here)]
    return list(game.actions(state))[-1]


def visited(search: WatchedSearch) -> list[str]:
    return [node.state for node, event, _ in search.events[1:] if event == "seen"]


def values(search: WatchedSearch, name: str) -> list[float]:
    return [one for node, event, one in search.events if event == "value" and node.name == name]


@pytest.mark.parametrize(
    ("player", "order", "value"),
    [
        (MiniMax(), ALL, 3), (AlphaBeta(), NEEDED, 3), (decide, ALL, 3), (pairs, ALL, 3),
        (negamax, NEEDED, None),  # B has said -3, and A nothing
        (by_stack, [*"BCD", *(name for name in ALL if len(name) > 1)], None),
    ],
)  # fmt: skip
def test_figure_5_2_is_visited_in_the_order_of_the_textbook(
    player: Callable[..., Any], order: list[str], value: float | None
) -> None:
    """Does the record of each kind of search have its states, in order, and its choice?

    Has the root the value that was returned, or that of its choice where it is its own?
    """
    search = watch(Fig52Game(), player)
    assert visited(search) == order
    assert search.choice is not None
    best = ("D", "a3") if player is by_stack else ("B", "a1")
    assert (search.choice.name, search.choice.move, search.trouble) == (*best, "")
    assert search.root.value == value
    assert player is not by_stack or values(search, "B") == []


def test_what_helps_to_estimate_is_no_value() -> None:
    """Of functions that count for an estimate, does only the estimate come back from a state?"""

    def of(state: Any, digit: str) -> int:
        return 10 if digit in state else 0

    player = AlphaBeta(1, eval_fn=lambda state: of(state, "C") - of(state, "B"))
    search = watch(Fig52Game(), player)
    assert [values(search, name) for name in "BCD"] == [[-10], [10], [0]]


def test_windows_are_those_that_alpha_beta_hands_on() -> None:
    """Do alpha and beta follow from the leaves that were seen before?

    B starts wide open; 3, 12, 8 make its beta 3. C and D start with the 3 that MAX is sure of;
    C's first leaf ends it, D's leaves make its beta 14 and then 5.
    """
    search = watch(Fig52Game(), AlphaBeta())
    windows = defaultdict[str, list[Any]](list)
    for one, event, what in search.events:
        if event == "window" and one.mover:
            windows[one.name].append(what)
    assert windows == {
        "A": [(-infinity, None), (3, None)],  # `search` has no beta
        "B": [(-infinity, infinity), (-infinity, 3)],
        "C": [(3, infinity)],
        "D": [(3, infinity), (3, 14), (3, 5)],
    }
    svg = Canvas_search("Figure 5.2", Fig52Game(), AlphaBeta()).svg()
    assert "α 3" in svg and "β 2" not in svg


@LAW
@given(LEAVES, st.sampled_from([MiniMax, partial(AlphaBeta, 9)]))
def test_the_record_agrees_with_a_count_made_elsewhere(
    leaves: list[int], make: Callable[[], Callable[..., Any]]
) -> None:
    """In any tree, does the record have exactly the states generated, and the value of the root?

    Of plain minimax, is each value that is drawn the one by definition?
    """
    game = Trace(TreeGame(leaves))
    move = make()(game, ())
    search = watch(TreeGame(leaves), make())
    assert visited(search) == game.generated
    assert search.choice is not None
    assert search.choice.move == move
    valued = search.root.here_and_below() if make is MiniMax else [search.root]
    for one in valued:
        assert one.value == best(TreeGame(leaves), one.state, "MAX")


@LAW
@given(
    st.integers(0, 10**6), st.sampled_from([AlphaBeta(9), MiniMax(), negamax, edited(HARD)]),
    st.sampled_from([(), (1,)]),
)  # fmt: skip
def test_a_bound_is_drawn_as_a_bound(seed: int, search: Callable[..., Any], state: Any) -> None:
    """Has each state with a value and unseen children a bound, and a true one, and no other one?

    Numbers differ, so that nobody cuts off what is equal. MIN searches as well as MAX.
    """
    game, rng = TreeGame(random.Random(seed).sample(range(1, 400), 81)), random.Random(seed)
    record = watch(game, search, state)
    for _ in islice(record.replay(), rng.choice([None, rng.randrange(len(record.events))])):
        pass
    for one in record.root.here_and_below():
        drawn = record.drawn(Node, node=one)
        if one.mover and one.value is not None and one is not record.root:
            viewer = one.mover if search is negamax else record.root.mover
            truth, mark = best(game, one.state, viewer), drawn.value[0].strip("-0123456789")
            cut = any(not child.is_reached for child in one.children)
            right = {"": not cut, "≤": cut and truth <= one.value, "≥": cut and truth >= one.value}
            assert right[mark], (one.name, mark, one.value, truth)


@pytest.mark.parametrize("game", [TreeGame([1, 2, 3, 7, 8, 9, 4, 5, 6]), Fig52Game()])
def test_numpys_numbers_and_texts_are_values_and_moves(game: Game) -> None:
    """Is a search that computes with numpy recorded as one that does not?"""

    def largest(game: Game, state: Any) -> Any:
        moves = numpy.array(list(game.actions(state)))
        return moves[numpy.argmax([smallest(game, game.result(state, move)) for move in moves])]

    def smallest(game: Game, state: Any) -> Any:
        children = [game.result(state, move) for move in game.actions(state)]
        return numpy.min([game.utility(child, "MAX") for child in children])

    search, usual = watch(game, largest), watch(game, decide)
    assert search.choice is not None and usual.choice is not None
    assert (search.choice.move, search.root.value) == (usual.choice.move, usual.root.value)


def test_what_is_not_skipped_for_good_is_not_called_pruned() -> None:
    """Is none pruned and no value a bound at the depth limit, where all children are left out?

    Nor a state that is skipped at first, and seen later?
    """
    search = watch(TreeGame(range(27)), AlphaBeta(2))
    deepest = [n for n in search.root.here_and_below() if n.depth > 1]
    assert len(deepest) == 9 + 27
    assert not any(n.is_cut or (n.depth == 3 and search.is_pruned(n)) for n in deepest)

    def twice(game: Game, state: Any) -> Any:
        return [search(game, state) for search in (AlphaBeta(), MiniMax())][1]

    search = watch(Fig52Game(), twice)
    nodes = [*search.root.here_and_below()]
    assert not any(search.is_pruned(one) for _ in search.replay() for one in nodes)


@pytest.mark.parametrize("search", [MiniMax(), lambda game, state: decide(state._replace(), game)])
def test_equal_boards_on_two_paths_are_two_nodes(search: Callable[..., Any]) -> None:
    """Is a state that two orders of moves lead to a node for each of them, and a copy none?"""
    record = watch(TicTacToe(), search, state_from("X O X / O . O / X . ."))
    ends = {one.name for one in record.root.here_and_below() if one.seen and not one.mover}
    assert ends == {"1,1", "2,1 1,1", "2,1 2,2 1,1", "2,2 1,1", "2,2 2,1 1,1"}


def test_a_long_search_is_stopped_though_it_catches_everything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Does the record end after so many states, and say so?"""

    def stubborn(game: Game, state: GameState) -> Any:
        try:
            return MiniMax()(game, state)
        except Exception:
            return next(iter(game.actions(state)))

    monkeypatch.setattr(canvas.search, "MOST", 500)
    search = watch(TicTacToe(), stubborn)
    assert len(visited(search)) == 500
    assert search.trouble == "stubborn was stopped after 500 states"


def test_an_error_of_the_search_is_told_with_its_place() -> None:
    """Does a search that raises leave its record so far, and the line that raised?

    Does a profiler that was there before get its place back?
    """

    def clumsy(game: Game, state: Any) -> Any:
        game.result(state, "a2")
        return {}["nothing"]

    def listener(frame: Any, event: str, arg: Any) -> None:
        """Hear nothing."""

    sys.setprofile(listener)
    try:
        search = watch(Fig52Game(), clumsy)
        assert sys.getprofile() is listener
    finally:
        sys.setprofile(None)
    assert visited(search) == ["C"]
    assert search.trouble == "clumsy raised KeyError: 'nothing'"
    assert "in clumsy" in search.details and search.details.count("File ") == 1


def test_an_answer_that_is_no_move_is_told() -> None:
    """Is a wrong type of answer seen: True is not the move 1? And is a class no player?"""
    search = watch(TreeGame([1, 2, 3]), lambda game, state: True)
    assert search.choice is None
    assert "<lambda> returned True, which is no move" in search.trouble
    with pytest.raises(TypeError, match=r"MiniMax is a class: give a player, such as MiniMax\(\)"):
        watch(Fig52Game(), MiniMax)


def test_numbers_are_written_as_people_do() -> None:
    """Are they short, and wrong at most in the fifth place after the point?"""
    for value, written in (
        (3, "3"), (3.0, "3"), (-0.5, "-0.5"), (1 / 3, "0.3333"), (-7500.5, "-7500.5"),
        (1_000_000, "1000000"), (infinity, "∞"), (-infinity, "-∞"),
    ):  # fmt: skip
        assert number(value) == written


@settings(LAW, max_examples=30)
@given(LEAVES)
def test_a_value_is_found_on_either_side_of_its_move(leaves: list[int]) -> None:
    """Are the same values drawn, though moves and values are numbers both?"""
    other = partial(pairs, way=-1)
    records = [watch(TreeGame(leaves), search) for search in (pairs, other)]
    told = [[(one.name, event, one.value) for one, event, _ in r.replay()] for r in records]
    assert told[0] == told[1]
