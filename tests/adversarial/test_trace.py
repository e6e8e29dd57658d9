"""Ask whether a trace records what a search visits, and knows what theory lets it visit."""

import math
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adversarial.games.recorded import Trace, Unfolded
from adversarial.games.rules import TicTacToe
from games import Fig52Game, Game, GameState, IllegalMove, TreeGame, after

LAW = settings(deadline=None)  # no clock in a law

Order = Callable[[Any, list[Any]], list[Any]]


def as_listed(state: Any, moves: list[Any]) -> list[Any]:
    """Take the moves as the game lists them."""
    return moves


# --- searches as textbooks have them -----------------------------------------------------------


def minimax(game: Game, state: Any, order: Order = as_listed) -> float:
    """Return the value of a state for the player to move there."""
    player = game.to_move(state)

    def value(state: Any) -> float:
        if game.terminal_test(state):
            return game.utility(state, player)
        children = [
            value(game.result(state, move)) for move in order(state, list(game.actions(state)))
        ]
        return max(children) if game.to_move(state) == player else min(children)

    return value(state)


def alpha_beta(game: Game, state: Any, order: Order = as_listed, *, strict: bool) -> float:
    """Return the same value; prune on `alpha > beta`, or on `alpha >= beta` if not `strict`."""
    player = game.to_move(state)

    def max_value(state: Any, alpha: float, beta: float) -> float:
        if game.terminal_test(state):
            return game.utility(state, player)
        value = -math.inf
        for move in order(state, list(game.actions(state))):
            value = max(value, min_value(game.result(state, move), alpha, beta))
            if value > beta or (value == beta and not strict):
                return value
            alpha = max(alpha, value)
        return value

    def min_value(state: Any, alpha: float, beta: float) -> float:
        if game.terminal_test(state):
            return game.utility(state, player)
        value = math.inf
        for move in order(state, list(game.actions(state))):
            value = min(value, max_value(game.result(state, move), alpha, beta))
            if value < alpha or (value == alpha and not strict):
                return value
            beta = min(beta, value)
        return value

    return max_value(state, -math.inf, math.inf)


@st.composite
def trees(draw: st.DrawFn) -> TreeGame:
    """Draw a full tree whose leaves are often alike, so that equal values meet."""
    shapes = [(2, 1), (2, 2), (2, 4), (2, 5), (3, 2), (3, 3), (4, 2)]
    branching, plies = draw(st.sampled_from(shapes))
    leaf = draw(st.sampled_from([st.integers(0, 2), st.integers(-9, 9), st.floats(-1, 1)]))
    size = branching**plies
    return TreeGame(draw(st.lists(leaf, min_size=size, max_size=size)), branching)


@st.composite
def orders(draw: st.DrawFn) -> Order:
    """Draw an order of moves for every state: random, but the same at each visit."""
    seed = draw(st.integers(0, 2**32))

    def order(state: Any, moves: list[Any]) -> list[Any]:
        key = sorted(state.board.items()) if isinstance(state, GameState) else state
        return random.Random(f"{seed} {key}").sample(moves, len(moves))

    return order


# --- the record --------------------------------------------------------------------------------


def test_a_refused_move_is_not_recorded() -> None:
    """Is an illegal move the game's own error, and no visit?"""
    trace = Trace(Fig52Game())
    with pytest.raises(IllegalMove, match="'b1' in state 'A'"):
        trace.result("A", "b1")
    assert trace.generated == []


def test_a_trace_plays_like_its_game() -> None:
    """Are all answers those of the game, and can it be played?"""
    game = Fig52Game()
    trace = Trace(game, "B1")
    assert trace.initial == "A"
    assert trace.actions("A") == game.actions("A")
    assert (trace.to_move("A"), trace.terminal_test("A")) == ("MAX", False)
    assert (trace.utility("B1", "MIN"), trace.terminal_test("B1")) == (-3, True)
    first = [lambda game, state: game.actions(state)[0]] * 2
    assert trace.play_game(*first) == 3


# --- what theory allows -------------------------------------------------------------------------


@LAW
@given(trees(), orders())
def test_theory_knows_what_right_searches_find_and_generate(tree: TreeGame, order: Order) -> None:
    """Does each find the minimax value, plain minimax visit all, and pruning what is allowed?

    What is allowed is what textbook alpha-beta visits, in its order, whatever search is measured;
    pruning on equality visits no more.
    """
    plain, strict, lax = Trace(tree), Trace(tree), Trace(tree)
    value = plain.minimax_value((), "MAX")
    assert value == minimax(plain, (), order) == -plain.minimax_value((), "MIN")
    assert value == alpha_beta(strict, (), order, strict=True)
    assert value == alpha_beta(lax, (), order, strict=False)
    assert plain.minimax_generates(()) == plain.generated
    assert len(plain.generated) == sum(tree.branching**n for n in range(1, tree.plies + 1))
    assert strict.alpha_beta_generates(()) == plain.alpha_beta_generates(()) == strict.generated
    assert set(lax.generated) <= set(lax.alpha_beta_generates(()))


@LAW
@given(trees(), orders(), st.data())
def test_a_search_that_stops_early_is_still_measured(
    tree: TreeGame, order: Order, data: st.DataObject
) -> None:
    """Do moves that were never tried come last, so that those that were tried are allowed?"""
    trace = Trace(tree)
    moves = order((), tree.actions(()))
    for move in moves[: data.draw(st.integers(0, len(moves)))]:
        trace.result((), move)
    allowed = trace.alpha_beta_generates(())
    children = [state for state in allowed if len(state) == 1]
    assert children[: len(trace.generated)] == trace.generated
    assert sorted(children) == [(move,) for move in tree.actions(())]


@LAW
@given(trees(), orders(), st.data())
def test_a_depth_cuts_the_tree_off(tree: TreeGame, order: Order, data: st.DataObject) -> None:
    """Is a tree looked at to some depth the smaller tree whose leaves have the worths given?"""
    depth = data.draw(st.integers(1, tree.plies))
    values = data.draw(
        st.lists(st.integers(-9, 9), min_size=tree.branching**depth, max_size=tree.branching**depth)
    )
    small = Trace(TreeGame(values, tree.branching))
    large = Trace(tree)

    def worth(state: tuple[int, ...], player: str) -> float:
        return small.utility(state, player)

    minimax(small, (), order)
    minimax(large, (), order)
    assert large.minimax_value((), "MAX", depth, worth) == small.minimax_value((), "MAX")
    assert large.minimax_generates((), depth) == small.minimax_generates(())
    assert large.alpha_beta_generates((), depth, worth) == small.alpha_beta_generates(())


@LAW
@given(st.lists(st.integers(0, 8), max_size=9), st.integers(0, 3))
def test_an_unfolded_game_is_played_like_the_game(choices: list[int], moved: int) -> None:
    """Does every path have the moves, the turn, the end and the value of its position?"""
    game = TicTacToe()
    state = start = after(game, [(1, 1), (0, 0), (2, 2)][:moved])
    tree = Unfolded(game, start)
    path = tree.initial
    for choice in choices:
        assert tree.actions(path) == game.actions(state)
        assert tree.to_move(path) == state.to_move
        assert tree.terminal_test(path) is game.terminal_test(state)
        assert tree.utility(path, "O") == game.utility(state, "O")
        with pytest.raises(IllegalMove):
            tree.result(path, (7, 7))
        if not state.moves:
            break
        move = state.moves[choice % len(state.moves)]
        path, state = tree.result(path, move), game.result(state, move)
        assert path[-1] == move


def test_each_move_is_worth_its_child_to_who_moves() -> None:
    """Are the values those of the figure, for MAX and for MIN, also where a search stops?"""
    game = Trace(Fig52Game(), *"ABCD")
    assert game.values("A") == {"a1": 3, "a2": 2, "a3": 2}
    assert game.values("C") == {"c1": -2, "c2": -4, "c3": -6}
    worth = {"B": 5, "C": 9, "D": 7}
    assert game.values("A", 1, lambda state, player: worth[state]) == {"a1": 5, "a2": 9, "a3": 7}
    assert game.values("B1") == {}
    assert game.generated == game.valued == []


# --- states that were never given out ----------------------------------------------------------


@pytest.mark.parametrize("method", ["actions", "result", "utility", "terminal_test", "to_move"])
def test_a_state_that_was_not_given_out_is_refused(method: str) -> None:
    """Can a search jump to a state that it has not generated, for whatever question?"""
    trace = Trace(Fig52Game())
    more = {"result": ["b1"], "utility": ["MAX"]}.get(method, [])
    with pytest.raises(ValueError, match="not one that the game has given out"):
        getattr(trace, method)("B", *more)
    assert (trace.generated, trace.valued) == ([], [])


def test_a_check_may_name_further_states_to_start_from() -> None:
    """Is a state that a check sends along known, and its neighbour not?"""
    trace = Trace(Fig52Game(), "B", "D")
    assert trace.actions("B") == ["b1", "b2", "b3"]
    with pytest.raises(ValueError, match="not one that the game has given out"):
        trace.actions("C")


@pytest.mark.parametrize("state", [["A"], {"A": 1}, {1}, GameState("X", 0, {(0, 0): []}, [])])
def test_an_unhashable_state_is_refused(state: Any) -> None:
    """Does something that cannot be a state end in an error that student code receives?"""
    trace = Trace(Fig52Game())
    with pytest.raises((ValueError, TypeError)):
        trace.actions(state)


def test_a_board_is_known_by_its_stones() -> None:
    """Is an equal state the same state, and one with another stone or turn not?"""
    game = TicTacToe()
    trace = Trace(game)
    state = trace.result(game.initial, (1, 1))
    assert trace.actions(GameState(*state)) == state.moves
    assert trace.actions(state._replace(board=dict(state.board))) == state.moves
    for other in (
        state._replace(to_move="X"),
        state._replace(board={(1, 1): "O"}),
        state._replace(board={**state.board, (0, 0): "O"}),
        game.result(game.initial, (0, 0)),
    ):
        with pytest.raises(ValueError, match="not one that the game has given out"):
            trace.actions(other)


FORGED = [{"utility": 1}, {"utility": math.inf}, {"moves": []}, {"moves": [(1, 1), (2, 2)]}]


@pytest.mark.parametrize("change", FORGED, ids=str)
@pytest.mark.parametrize("method", ["actions", "utility", "terminal_test"])
def test_a_forged_field_changes_no_answer(method: str, change: dict[str, Any]) -> None:
    """Is a state won, over or open because of its board, whatever else a search writes into it?"""
    trace = Trace(TicTacToe())
    state = trace.result(trace.initial, (1, 1))
    more = ["X"] if method == "utility" else []
    honest = getattr(trace, method)(state, *more)
    assert getattr(trace, method)(state._replace(**change), *more) == honest
