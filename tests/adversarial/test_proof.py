"""Ask whether a record is what a search has seen, and proves what sound searches return."""

import math
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solution import MiniMax
from textbook import searched, trees

from adversarial.checks import connect_four
from adversarial.checks.boards import board_tree
from adversarial.checks.pruning import (
    ON_BOARDS,
    FinishedSearch,
    expect_proven_move,
    expect_proven_value,
    expect_pruned,
    expect_some_cut,
)
from adversarial.checks.trees import expect_all_generated
from adversarial.games.recorded import Trace, UnfoldedGame
from adversarial.games.rules import TicTacToe
from games import Fig52Game, GameState, IllegalMove, TreeGame, after, state_from

LAW = settings(deadline=None, max_examples=50)
CUTS = st.sampled_from(["above", "equal"])
ALL = [f"{state}{i}" for state in "BCD" for i in (1, 2, 3)]
NEEDED = ["B1", "B2", "B3", "C1", "D1", "D2", "D3"]
UNPROVEN = "do not show that its move is best"


def seen(leaves: Iterable[str]) -> FinishedSearch:
    """Return a search of figure 5.2 that has looked at these leaves, the way down included."""
    game = Trace(Fig52Game())
    for leaf in leaves:
        child, move = leaf[0], leaf.lower()
        if child not in game.generated:
            game.result("A", f"a{'BCD'.index(child) + 1}")
        game.utility(game.result(child, move), "MAX")
    return FinishedSearch(game, "A")


@LAW
@given(trees(), CUTS, st.integers(0, 99), st.sampled_from([(), (0,), (1,)]))
def test_every_sound_search_proves_what_it_returns(
    tree: TreeGame, cuts: str, order: int, root: Any
) -> None:
    """Whatever the order, the rule of cutting, the root and who moves there?"""
    game = Trace(tree, root)
    if game.terminal_test(root):
        return
    value, move = searched(game, root, order, cuts=cuts)
    search = FinishedSearch(game, root)
    expect_proven_value(search, value)
    expect_proven_move(search, move)
    expect_pruned(search)


@LAW
@given(trees(), CUTS, st.integers(0, 99), st.integers(-9, 9), st.integers(1, 9))
def test_a_search_in_a_window_proves_on_which_side_of_it_the_value_lies(
    tree: TreeGame, cuts: str, order: int, alpha: int, width: int
) -> None:
    """Is no more allowed than the window leaves open, and is another answer refused?"""
    game, window = Trace(tree), (alpha, alpha + width)
    value, _ = searched(game, (), order, cuts=cuts, window=window)
    search = FinishedSearch(game, (), window=window)
    expect_proven_value(search, value)
    expect_pruned(search)
    assert set(search.allowed_states()) <= set(FinishedSearch(game, ()).allowed_states())
    wrong = alpha + width + 1 if value < alpha + width else alpha - 1
    with pytest.raises(AssertionError, match="not the one that follows"):
        expect_proven_value(search, wrong)


def test_a_state_too_many_is_named() -> None:
    """Do seven leaves prove a1 in the figure, and is the first superfluous state named?

    In a tree by its moves?
    """
    search = seen(NEEDED)
    expect_proven_move(search, "a1")
    expect_proven_value(search, 3)
    expect_pruned(search)
    assert search.bounds() == {"a1": (3, 3), "a2": (-math.inf, 2), "a3": (2, 2)}
    whole = seen(ALL)
    with pytest.raises(AssertionError, match=r"It generated the state C2, which .* with 1 more"):
        expect_pruned(whole)
    twice = seen(["B1", *NEEDED])
    with pytest.raises(AssertionError, match=r"It generated the state B1 again\.$"):
        expect_pruned(twice)
    tree = Trace(TreeGame([3, 12, 2, 4], 2))
    MiniMax()(tree, ())
    with pytest.raises(AssertionError, match="the state after the moves 1, 1, which"):
        expect_pruned(FinishedSearch(tree, ()))


@pytest.mark.parametrize(
    ("leaves", "expect", "answer", "said"),
    [
        (ALL, expect_proven_move, "a2", UNPROVEN),
        (ALL, expect_proven_move, None, "no legal move"),
        (ALL, expect_proven_value, 4, "is not the one"),
        (ALL, expect_proven_value, None, "must be a number"),
        ([], expect_proven_move, "a1", UNPROVEN),
        ([], expect_proven_value, 3, "do not tell the value"),
        *(({*NEEDED} - {one}, expect_proven_move, "a1", UNPROVEN) for one in ("B1", "C1", "D3")),
    ],
)
def test_what_is_wrong_or_unseen_is_not_proven(
    leaves: Iterable[str], expect: Callable[..., None], answer: Any, said: str
) -> None:
    """Is another answer caught although everything was seen, and one that lacks a leaf?"""
    with pytest.raises(AssertionError, match=said):
        expect(seen(leaves), answer)


def test_a_sure_win_ends_a_search_of_a_board() -> None:
    """Does one winning move prove itself where nothing can be worth more, and nowhere else?"""
    start = state_from("X X . / O O . / . . .")
    game = board_tree(start=start)
    game.utility(game.result((), (0, 2)), "X")
    expect_proven_move(FinishedSearch(game, (), limits=ON_BOARDS), (0, 2))
    with pytest.raises(AssertionError, match=UNPROVEN):
        expect_proven_move(FinishedSearch(game, ()), (0, 2))


def test_estimates_count_where_a_search_stops() -> None:
    """Do they prove a move at the depth at which they were asked for, and only of known states?"""
    tree, worth = TreeGame([0] * 8, 2), {(0,): 5, (1,): 3}
    game = Trace(tree)
    for move in 0, 1:
        game.result((), move)
    search = FinishedSearch(game, (), 1, lambda state, player: worth[state], list(worth))
    expect_proven_move(search, 0)
    expect_proven_value(search, 5)
    with pytest.raises(AssertionError, match=UNPROVEN):
        expect_proven_move(search._replace(estimated_states=[(0,)]), 0)
    with pytest.raises(AssertionError, match="1 states that it has not got"):
        expect_proven_move(search._replace(estimated_states=[*worth, (1, 1)]), 0)


def test_a_whole_tree_needs_states_and_values() -> None:
    """Is each of the two asked for: every state, every utility?"""
    expect_all_generated(seen(ALL).game, "A", "the tree")
    with pytest.raises(AssertionError, match="never looked at"):
        expect_all_generated(seen(ALL[1:]).game, "A", "the tree")
    game = seen(ALL).game
    game.valued.pop()
    with pytest.raises(AssertionError, match="never asked for their utility"):
        expect_all_generated(game, "A", "the tree")


# --- what no mistake of the bank shows ----------------------------------------------------------


def test_what_prunes_nothing_is_told_so() -> None:
    """Is plain minimax refused as alpha-beta, and a search that leaves out one state not?"""
    whole, cut = (FinishedSearch(Trace(TreeGame([0] * 81)), (), 2) for _ in range(2))
    for move in range(3):
        for reply in range(3):
            whole.game.result(whole.game.result((), move), reply)
    with pytest.raises(AssertionError, match="minimax, not alpha-beta"):
        expect_some_cut([whole])
    cut.game.result((), 0)
    expect_some_cut([whole, cut])


def test_scores_of_ones_own_are_found_if_one_of_them_is_right() -> None:
    """Is one wrong digit told, and is who knows no score held to those of the assignment?"""
    scores: list[float] = [0, 0, 1, 10, 1_000_000]

    def evaluate(state: GameState, player: str) -> float:
        table = {piece: [n if piece == player else -n for n in scores] for piece in "XO"}
        return connect_four.by_segments(state, player, table)

    own = connect_four.own_scores(evaluate, "O")
    assert own == {"O": scores, "X": [-n for n in scores]}
    nothing = connect_four.own_scores(lambda state, player: 0, "X")
    assert nothing["X"] == [*connect_four.SCORES]


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
def test_a_depth_cuts_the_tree_off(tree: TreeGame, order: int, data: st.DataObject) -> None:
    """Is a tree looked at to some depth the smaller tree whose leaves have the worths given?"""
    depth = data.draw(st.integers(1, tree.plies))
    size = tree.branching**depth
    values = data.draw(st.lists(st.integers(-9, 9), min_size=size, max_size=size))
    small, large = Trace(TreeGame(values, tree.branching)), Trace(tree)
    worth = small.utility
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
    tree = UnfoldedGame(game, start)
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


# --- states that were never given out ----------------------------------------------------------


@pytest.mark.parametrize("method", ["actions", "result", "utility", "terminal_test", "to_move"])
def test_a_state_that_was_not_given_out_is_refused(method: str) -> None:
    """Can a search jump to a state that it has not generated, unless a check names it?"""
    trace = Trace(Fig52Game(), "D")
    assert trace.actions("D") == ["d1", "d2", "d3"]
    with pytest.raises(IllegalMove, match="'b1' in state 'D'"):  # which is no visit
        trace.result("D", "b1")
    more = {"result": ["b1"], "utility": ["MAX"]}.get(method, [])
    with pytest.raises(ValueError, match="not one that the game has given out"):
        getattr(trace, method)("B", *more)
    assert (trace.generated, trace.valued) == ([], [])


def test_a_board_is_known_by_its_stones() -> None:
    """Is an equal state the same state, and one with another stone or turn not?

    Does something that cannot be a state end in an error that student code receives?
    """
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
    for nothing in (["A"], {"A": 1}, {1}, GameState("X", 0, {(0, 0): []}, [])):
        with pytest.raises((ValueError, TypeError)):
            trace.actions(nothing)


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
