"""Hidden checks of the cell AlphaBeta: value, move, pruning, depth, cutoff and evaluation."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from adversarial.checks.boards import (
    expect_best,
    expect_best_unseen,
    losses,
    luring_blocks,
    oracle,
    small,
    spread,
    unseen_losses,
)
from adversarial.checks.figure import TURNED, expect_best_in_tree, expect_figure_played, recorded
from adversarial.checks.pruning import (
    ON_BOARDS,
    Search,
    expect_proven_move,
    expect_proven_value,
    expect_pruned,
    expect_pruned_figure,
)
from adversarial.checks.trees import call_and_look, expect_value, random_tree
from adversarial.games.recorded import Trace
from games import Fig52Game, Game, TreeGame, infinity, state_from

DEEP = 9  # plies: the whole 3x3 game


def zero(state: Any) -> int:
    return 0


@pytest.mark.check(
    cell="AlphaBeta",
    points=3,
    hint="Pruning must not change the move: compare with your MiniMax, move by move.",
)
def test_fig52_moves(student, alike):
    """It plays the best move in 4 states of the textbook's tree, of one like it, and in a third"""
    expect_figure_played(student.AlphaBeta(), lambda game: student.AlphaBeta(4, game), alike)


@pytest.mark.check(
    cell="AlphaBeta",
    points=2,
    hint="With alpha -infinity and beta +infinity nothing is cut at the top: the value is exact.",
)
def test_fig52_values(student, alike):
    """`max_value` and `min_value` are right for MAX and for MIN, in 16 states of the same trees"""
    game = Trace(Fig52Game(), "A", *"BCD", "B1", "C2", "D3")
    other, _ = alike
    player = student.AlphaBeta(d=4, game=game)
    window = -infinity, infinity
    for state, value, depth in [("A", 3, 0), ("B1", 3, 2), ("C2", 4, 2)]:
        expect_value(player.max_value(state, "MAX", *window, depth), value, "`max_value` for MAX")
    for state, value, depth in [("B", 3, 1), ("C", 2, 1), ("D", 2, 1), ("D3", 2, 2)]:
        expect_value(player.min_value(state, "MAX", *window, depth), value, "`min_value` for MAX")
    for state, value in [("B", -3), ("C", -2), ("D", -2)]:
        expect_value(player.max_value(state, "MIN", *window, 0), value, "`max_value` for MIN")
    for state, value, depth in [("A", -3, 0), ("D3", -2, 2)]:
        expect_value(player.min_value(state, "MIN", *window, depth), value, "`min_value` for MIN")
    for state in "ABCD":  # each by a player of its own: nothing is left of the search before
        fresh, depth = student.AlphaBeta(d=4, game=other), int(state != "A")
        search, name = (fresh.min_value, "min") if depth else (fresh.max_value, "max")
        value = other.minimax_value(state, "MAX")
        expect_value(search(state, "MAX", *window, depth), value, f"`{name}_value` for MAX")


@pytest.mark.check(
    cell="AlphaBeta",
    points=4,
    hint="After the first child of the second state MAX knows enough. Do you pass alpha down?",
    needs="test_fig52_moves",
)
def test_fig52_pruning(student):
    """It sees what proves its move in the textbook's tree, and no leaf that cannot matter"""
    for given in False, True:
        game = Trace(Fig52Game())
        player = student.AlphaBeta(game=game) if given else student.AlphaBeta()
        move = player.search("A") if given else player(game, "A")
        search = Search(game, "A")
        expect_proven_move(search, move)
        expect_pruned_figure(search)
    for leaves in TURNED:  # whatever its order is, it can prune in one of them
        search = Search(Trace(TreeGame(leaves)), ())
        expect_proven_move(search, student.AlphaBeta()(search.game, ()))
        expect_pruned_figure(search)


@pytest.mark.check(
    cell="AlphaBeta",
    points=3,
    hint="Both functions must cut, at every level: alpha and beta go down with each call.",
    needs="test_fig52_pruning",
)
def test_tree_pruning(student, trees, board_trees, chance):
    """It sees what proves its answer and no more than textbook alpha-beta, in 128 searches"""
    searches = [Search(Trace(game.game, root), root) for game, root, _ in recorded(trees)]
    searches += [Search(game, (), limits=ON_BOARDS) for game in board_trees]
    for number, search in enumerate(searches):
        expect_frugal(student, search, number)
    for tree, root, mover in recorded(trees[:6]):
        expect_frugal_in_windows(student, tree.game, root, mover)
    for d in (2, 3) * 3:
        worth = {path: chance.randrange(-99, 100) for path in product(range(3), repeat=d)}
        game, asked = Trace(TreeGame([0] * 3**5)), []

        def evaluate(state: Any, *, worth: Any = worth, asked: list[Any] = asked) -> int:
            value: int = worth[state]
            asked.append(state)
            return value

        move = student.AlphaBeta(d=d, eval_fn=evaluate)(game, ())
        search = Search(game, (), d, lambda state, player, worth=worth: worth[state], asked)
        expect_proven_move(search, move)
        expect_pruned(search)


def expect_frugal(student: Any, search: Search, number: int) -> None:
    """Expect a proof, and no state too many, however the search is called."""
    game, root = search.game, search.root
    way = number % 5
    if way == 0:
        answer = student.AlphaBeta(d=10)(game, root)
    elif way == 1:
        answer = student.AlphaBeta(d=10, game=game).search(root)
    elif way == 2:
        answer = student.AlphaBeta(20, eval_fn=zero)(game, root)
    elif way == 3:
        answer = student.AlphaBeta(d=10, game=game)(game, root)
    else:
        player, mover = student.AlphaBeta(d=10, game=game), game.to_move(root)
        answer = player.max_value(root, mover, -infinity, infinity, 0)
        expect_proven_value(search, answer)
    if way < 4:
        expect_proven_move(search, answer)
    expect_pruned(search)


def expect_frugal_in_windows(student: Any, tree: Game, root: Any, mover: str) -> None:
    """Expect the same where the value lies in a window that is given, below it, and above."""
    value = Trace(tree).minimax_value(root, mover)
    for alpha, beta in [(value - 9, value + 9), (value + 9, value + 30), (value - 30, value - 9)]:
        game = Trace(tree, root)
        answer = student.AlphaBeta(d=10, game=game).max_value(root, mover, alpha, beta, 0)
        search = Search(game, root, window=(alpha, beta))
        expect_proven_value(search, answer)
        expect_pruned(search)


@pytest.mark.check(
    cell="AlphaBeta",
    points=3,
    hint="Cut only where the value cannot matter any more: a cut too many gives a wrong value.",
    needs="test_fig52_moves",
)
def test_random_trees(student, trees):
    """It finds the minimax value and a best move on 38 trees, for MAX and for MIN"""
    for game, state, mover in recorded(trees):
        player = student.AlphaBeta(d=10, game=game)
        answer = player.max_value(state, mover, -infinity, infinity, 0)
        expect_value(answer, game.minimax_value(state, mover), "`max_value` on a random tree")
        expect_best_in_tree(game, state, player(game, state))


@pytest.mark.check(
    cell="AlphaBeta",
    points=2,
    hint="A final state has its utility for the searching player, whoever would be to move in it.",
)
def test_win_in_one(student, chance, fast_tictactoe):
    """It wins at once where it can, as X and as O, in 33 positions, and looking one ply ahead"""
    states = [state_from("X O X / X . O / . . O"), *spread(chance, oracle().win_in_one(), 16)]
    # Where the win is the last of some moves, a bound that is wrong may stand in its way.
    some = [state for state in oracle().win_in_one() if len(state.moves) > 3]
    late = [state for state in some if state.moves[-1] in oracle().best_moves(state)]
    states += chance.sample(oracle().secret(late), 10)
    game = fast_tictactoe()
    expect_best(student.AlphaBeta(d=DEEP), game, states, "missed a win in one move")
    shallow = student.AlphaBeta(d=1, eval_fn=zero)
    expect_best(shallow, game, states, "missed a win in one move when it looks one ply ahead")
    unseen = spread(chance, small(oracle().win_in_one()), 6)
    expect_best_unseen(student.AlphaBeta(d=DEEP), unseen, "missed a win in one move")


@pytest.mark.check(
    cell="AlphaBeta",
    points=2,
    hint="The opponent picks the reply that is worst for you: `min_value` must see it.",
)
def test_block(student, chance, fast_tictactoe):
    """It blocks where the opponent would win at the next move, as X and as O, in 39 positions"""
    states = [state_from("X . . / . . O / . X O"), *spread(chance, oracle().block(), 12)]
    states += spread(chance, luring_blocks(), 4)
    large = [state for state in oracle().block() if len(state.moves) == 6]
    states += chance.sample(oracle().secret(large), 8)  # where a bound that is wrong shows
    player, game = student.AlphaBeta(d=DEEP), fast_tictactoe()
    expect_best(player, game, states, "let the opponent win")
    for state in states[:5]:
        _, after_it = call_and_look(player, game, state)
        assert after_it[1] == state, "The search has changed the state that it was given."
    expect_best_unseen(player, spread(chance, luring_blocks(), 14), "let the opponent win")


@pytest.mark.check(
    cell="AlphaBeta",
    points=2,
    hint="A fork wins two plies later. Is the value of a cut branch taken for an exact one?",
)
def test_win_in_two(student, chance, fast_tictactoe):
    """It makes two threats at once where that wins, as X and as O, in 63 positions"""
    states = [
        state_from("X . . / . . O / O X ."),
        state_from("X O X / O . O / X . ."),
        *oracle().secret(oracle().win_in_two()),
    ]
    game = fast_tictactoe()
    expect_best(student.AlphaBeta(d=DEEP), game, states, "missed a win by a double threat")
    unseen = spread(chance, small(oracle().win_in_two()), 6)
    expect_best_unseen(student.AlphaBeta(d=DEEP), unseen, "missed a win by a double threat")


@pytest.mark.check(
    cell="AlphaBeta",
    points=2,
    hint="Is the bound of a cut branch remembered as if it were its value?",
    needs="test_block",
    cpu_seconds=120,
)
def test_sweep(student, chance, fast_tictactoe, large_boards):
    """It plays a best move in 4,454 positions, looking to the end, and in 18 others"""
    states = [state for state in oracle().open_states() if len(state.moves) <= 6]
    early = [state for state in oracle().open_states() if len(state.moves) > 6]
    player, game = student.AlphaBeta(d=DEEP), fast_tictactoe(lazy=True)
    states += oracle().one_of_each(early, chance)
    expect_best(player, game, states, "chose a worse move")
    size = 4, 4, 4
    expect_best(player, fast_tictactoe(*size), large_boards, "chose a worse move on 4x4", size)
    expect_best_unseen(player, spread(chance, small(states), 8), "chose a worse move")


@pytest.mark.check(
    cell="AlphaBeta",
    points=2,
    hint="The root is at depth 0; stop at depth d exactly, or at a final state before it.",
    needs="test_fig52_moves",
)
def test_depth(student, chance):
    """With depth d it evaluates states d plies ahead exactly, for d = 1 to 5 and by default"""
    for d in (1, 2, 3, 4, 5):
        game = Trace(TreeGame(chance.sample(range(100), 32), 2), (), (1,))
        for root in ((), (1,)):
            seen: list[Any] = []

            def evaluate(state: Any, *, seen: list[Any] = seen) -> int:
                assert type(state) is tuple, "`eval_fn` must be called with a state."
                seen.append(state)
                return 0

            game.generated.clear()
            move = student.AlphaBeta(d=d, eval_fn=evaluate)(game, root)
            assert move in (0, 1), "The answer is no legal move."
            deepest = max((len(state) - len(root) for state in game.generated), default=0)
            horizon = min(d, 5 - len(root))
            assert deepest == horizon, (
                f"With d={d} the search went {deepest} plies deep instead of {horizon}."
            )
            wrong = [state for state in seen if len(state) - len(root) != d]
            assert not wrong, f"With d={d} a state that is not {d} plies ahead was evaluated."
            assert seen or d > horizon or horizon == 5 - len(root), "`eval_fn` was never called."
    game = Trace(TreeGame(chance.sample(range(100), 32), 2), (1,))
    direct = student.AlphaBeta(d=2, game=game, eval_fn=lambda state: 8 - len(state))
    answer = direct.min_value((1,), "MAX", -infinity, infinity, 2)
    expect_value(answer, 7, "`min_value` at depth d, where the estimate is 7,")
    game = Trace(TreeGame(chance.sample(range(100), 64), 2))
    student.AlphaBeta(eval_fn=zero)(game, ())
    assert max(map(len, game.generated), default=0) == 4, (
        "Without a `d` the search must look 4 plies ahead."
    )
    players = {d: student.AlphaBeta(d=d) for d in (3, 1, 4, 2)}
    for d, player in players.items():
        game = Trace(TreeGame(chance.sample(range(100), 32), 2))
        player(game, ())
        assert max(map(len, game.generated), default=0) == d, (
            f"With d={d} the search must look {d} plies ahead, whatever the `d` of another player."
        )


@pytest.mark.check(
    cell="AlphaBeta",
    points=1,
    hint="Where it is cut off, the value is `eval_fn(state)` as it is, or your estimate, a number.",
    needs="test_fig52_moves",
)
def test_evaluation(student, chance):
    """It plays the best move by an evaluation given, in 48 searches, and a move by its own"""
    for tree in Fig52Game(), TreeGame([0] * 27):
        for d in (1, 2):  # without an `eval_fn`
            player, start = student.AlphaBeta(d=d, game=Trace(tree)), tree.initial
            assert player.search(start) in tree.actions(start), (
                "By its own estimate: no legal move."
            )
            worth = player.max_value(start, tree.to_move(start), -infinity, infinity, d)
            assert type(worth) in (int, float, Fraction), "Its own estimate must be a number."
    # No cut that a window from zero makes shows here: what counts is the estimate.
    for d, lowest in [(1, -60), (2, 1)] * 12:
        tree = TreeGame([0] * 3**5)
        paths = [()]
        worth: dict[Any, float] = {}
        while paths:
            worth.update((path, chance.randrange(lowest, lowest + 49) / 8) for path in paths)
            paths = [tree.result(path, move) for path in paths for move in tree.actions(path)]
        final = worth | dict.fromkeys(tree.leaves, 0)  # where utilities count
        game = Trace(tree, (), (2,))
        for root, mover in [((), "MAX"), ((2,), "MIN")]:
            move = student.AlphaBeta(d=d, eval_fn=worth.__getitem__)(game, root)
            assert move in (0, 1, 2), "The answer is no legal move."
            values = game.values(root, d, lambda state, player, worth=final: worth[state])
            assert values[int(move)] == max(values.values()), (
                f"With d={d} another move is better for {mover} by the evaluation given."
            )


@pytest.mark.check(
    cell="AlphaBeta",
    points=2,
    hint="Call the given `cutoff_test(state, depth)` in place of the one that looks at d.",
    needs="test_fig52_moves",
)
def test_cutoff(student, chance):
    """A given `cutoff_test` replaces d, and is told the state and its depth, in 12 searches"""
    for number, (limit, branching, plies) in enumerate(
        [(1, 2, 4), (2, 2, 4), (3, 2, 4), (1, 2, 4), (2, 5, 3), (3, 2, 4)]
    ):
        leaves = chance.sample(range(200), branching**plies)
        game = Trace(TreeGame(leaves, branching), (), (0,))
        for root in ((), (0,)):
            told: list[Any] = []
            seen: list[Any] = []

            def cutoff(
                state: Any, depth: Any, *, root: Any = root, told: list[Any] = told, at: int = limit
            ) -> bool:
                assert type(depth) is int and type(state) is tuple, (
                    "`cutoff_test` must be called with a state and its depth, in this order."
                )
                told.append(depth - (len(state) - len(root)))
                return depth >= at

            def evaluate(state: Any, *, seen: list[Any] = seen, at: int = limit) -> int:
                assert type(state) is tuple, "`eval_fn` must be called with a state."
                seen.append(state)
                return len(seen) if at == 1 else -len(seen)  # then all but the first can be cut

            options = {"d": 2, "cutoff_test": cutoff, "eval_fn": evaluate}
            places = 2, game, cutoff, evaluate  # the same, by their places
            player = student.AlphaBeta(**options) if number < 3 else student.AlphaBeta(*places)
            move = player(game, root)
            assert told, "The given `cutoff_test` was never called."
            assert set(told) == {0}, "`cutoff_test` was told a wrong depth: the root is at depth 0."
            far = {len(state) - len(root) for state in seen}
            assert far <= {limit}, "The search was not cut off where `cutoff_test` said."
            assert far or limit >= plies - len(root), "`eval_fn` was not called after a cutoff."
            assert move in game.actions(root), "The answer is no legal move."
            assert limit > 1 or seen[-1] == (*root, move), (
                "Cut off after one ply it must play the move of the highest estimate."
            )


@pytest.mark.check(
    cell="AlphaBeta",
    points=1,
    hint="Ask `game.terminal_test` before anything else, and then use `game.utility`.",
    needs="test_fig52_moves",
)
def test_final_states(student, chance):
    """A final state has its utility, at the depth limit too, whatever `cutoff_test` says of it"""
    # No cut that a window from zero makes shows here: what counts is the utility.
    lost, won = range(-99, 0), range(1, 100)
    shapes = [(3, 1, lost), (9, 1, lost)] * 4 + [(3, 2, won), (5, 2, won)] * 12
    trees = [random_tree(chance, *shape) for shape in shapes]

    def never(state: Any, depth: Any) -> bool:
        return False

    for tree in trees:

        def evaluate(state: Any, *, tree: Any = tree) -> int:
            assert len(state) < tree.plies, "`eval_fn` was asked about a final state."
            return 0

        def at_the_end(state: Any, depth: Any, *, tree: Any = tree) -> bool:
            return len(state) == tree.plies

        tests = never, at_the_end
        for options in ({"d": tree.plies}, *({"d": 1, "cutoff_test": test} for test in tests)):
            game = Trace(tree)
            move = student.AlphaBeta(**options, eval_fn=evaluate)(game, ())
            assert move in game.actions(()), "The answer is no legal move."
            values = game.values(())
            assert values[move] == max(values.values()), "Another move is better by the utilities."


@pytest.mark.check(
    cell="AlphaBeta",
    points=1,
    hint="When every move loses, one of them must be played all the same: start from -infinity.",
)
def test_every_move_loses(student, chance, fast_tictactoe):
    """It still plays a legal move where every move loses, in 60 positions"""
    states = [state_from("X O X / . . . / O . X"), *chance.sample(oracle().secret(losses()), 16)]
    expect_best(student.AlphaBeta(d=DEEP), fast_tictactoe(), states, "broke down")
    expect_best_unseen(student.AlphaBeta(d=DEEP), unseen_losses(chance), "broke down")
