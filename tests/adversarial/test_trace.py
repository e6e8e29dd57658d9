"""Ask whether a trace records what a search visits, and knows what theory lets it visit."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textbook import ordered, searched, trees

from adversarial.games.recorded import Trace, Unfolded
from adversarial.games.rules import TicTacToe
from games import Fig52Game, GameState, IllegalMove, TreeGame, after

LAW = settings(deadline=None)  # no clock in a law

# --- the record --------------------------------------------------------------------------------


def test_a_refused_move_is_not_recorded() -> None:
    """Is an illegal move the game's own error, and no visit?"""
    trace = Trace(Fig52Game())
    with pytest.raises(IllegalMove, match="'b1' in state 'A'"):
        trace.result("A", "b1")
    assert trace.generated == []


# --- what theory allows -------------------------------------------------------------------------


@LAW
@given(trees(), st.integers(0, 99))
def test_theory_knows_what_right_searches_find_and_generate(tree: TreeGame, order: int) -> None:
    """Does each find the minimax value, plain minimax visit all, and pruning what is allowed?

    What is allowed is what textbook alpha-beta visits, in its order, whatever search is measured;
    pruning on equality visits no more.
    """
    plain, strict, lax = Trace(tree), Trace(tree), Trace(tree)
    value = plain.minimax_value((), "MAX")
    assert value == searched(plain, (), order)[0] == -plain.minimax_value((), "MIN")
    assert value == searched(strict, (), order, cuts="above")[0]
    assert value == searched(lax, (), order, cuts="equal")[0]
    assert plain.minimax_generates(()) == plain.generated
    assert len(plain.generated) == sum(tree.branching**n for n in range(1, tree.plies + 1))
    assert strict.alpha_beta_generates(()) == plain.alpha_beta_generates(()) == strict.generated
    assert set(lax.generated) <= set(lax.alpha_beta_generates(()))


@LAW
@given(trees(), st.integers(0, 99), st.data())
def test_a_search_that_stops_early_is_still_measured(
    tree: TreeGame, order: int, data: st.DataObject
) -> None:
    """Do moves that were never tried come last, so that those that were tried are allowed?"""
    trace = Trace(tree)
    moves = ordered(order, (), tree.actions(()))
    for move in moves[: data.draw(st.integers(0, len(moves)))]:
        trace.result((), move)
    allowed = trace.alpha_beta_generates(())
    children = [state for state in allowed if len(state) == 1]
    assert children[: len(trace.generated)] == trace.generated
    assert sorted(children) == [(move,) for move in tree.actions(())]


@LAW
@given(trees(), st.integers(0, 99), st.data())
def test_a_depth_cuts_the_tree_off(tree: TreeGame, order: int, data: st.DataObject) -> None:
    """Is a tree looked at to some depth the smaller tree whose leaves have the worths given?"""
    depth = data.draw(st.integers(1, tree.plies))
    values = data.draw(
        st.lists(st.integers(-9, 9), min_size=tree.branching**depth, max_size=tree.branching**depth)
    )
    small = Trace(TreeGame(values, tree.branching))
    large = Trace(tree)

    def worth(state: tuple[int, ...], player: str) -> float:
        return small.utility(state, player)

    for trace in small, large:
        searched(trace, (), order)
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
    """Can a search jump to a state that it has not generated, unless a check names it?"""
    trace = Trace(Fig52Game(), "D")
    assert trace.actions("D") == ["d1", "d2", "d3"]
    more = {"result": ["b1"], "utility": ["MAX"]}.get(method, [])
    with pytest.raises(ValueError, match="not one that the game has given out"):
        getattr(trace, method)("B", *more)
    assert (trace.generated, trace.valued) == ([], [])


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
