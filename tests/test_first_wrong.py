"""Ask whether what a search is told of its first wrong number is so, and is as small as can be."""

import ast
import contextlib
import functools
import io
import random
import re
import resource
import sys
import tempfile
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from numbers import Real
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pytest
from greens import LONG, code, forked
from shares import SHARE, is_due
from textbook import NEGAMAX

import adapters
import first_wrong
import games
import searches
from adapters import Ahead, by_depth
from adversarial.diagnosis import explain
from adversarial.diagnosis.slips import HARD, LATER, NO_CUTS, TOLD
from adversarial.games.recorded import Trace
from adversarial.search import BELOW, LIMITED, Edits, edited
from canvas.drawing import Node
from canvas.search import number, watch
from first_wrong import smallest
from games import Game
from referee import course
from referee.proof import bank

Search: TypeAlias = Callable[[Game, Any], Any]
State: TypeAlias = tuple[int, ...]  # a path


AVERAGE: Edits = (
    (
        "min_value: worst = infinity\n",
        f"below = [max_value({BELOW}) for move in game.actions(state)]\n"
        "        return sum(below) / len(below)\n",
    ),
)
SHORTER: Edits = (*LIMITED, *TOLD, ("player =", "limit = limit - 1; player ="))


@pytest.mark.parametrize(
    ("search", "tree", "why"),
    [
        (
            edited((*NO_CUTS, ("= min_value(", "= max_value("))),
            [4, [5, 3, 3]],
            "It says that state 1 is worth 5. MIN moves there and takes the smallest; the children "
            "have 5, 3, 3.",
        ),
        (
            edited(AVERAGE),
            [[6, 1, -2, 1], [-1, -1]],
            "It says that state 0 is worth 1.5. MIN moves there and takes the smallest; the "
            "children have 6, 1, -2, 1.",
        ),
        (
            edited(AVERAGE + NEGAMAX),
            [[6, 1, -2, 1], [-1, -1]],
            "It says that state 0 is worth -1.5. MIN moves there and takes the best for itself; "
            "the children have 6, 1, -2, 1. (Its values are for whoever moves.)",
        ),
        (
            by_depth(edited((*LIMITED, *TOLD, ("value > most", "False")))),
            [7, 9],
            "It chooses state 0, which has 7. MAX moves at the root and takes the largest; the "
            "children have 7, 9.",
        ),
        (
            edited((("return best_move", "return 99, best_move"),)),
            [5],
            "It returns the value 99 with state 0, which has 5.",
        ),
    ],
    ids=["both help", "average", "negamax", "first move", "another value"],
)
def test_the_first_wrong_number_is_told_on_the_smallest_tree(
    search: Search, tree: Any, why: str
) -> None:
    """Is the local rule told that is broken, where nothing could be left out any more?"""
    found = smallest(watch, search, Node)
    assert found is not None
    assert (nested(found[0]), found[1]) == (tree, why)
    assert why in searches.first_wrong_number(search)


def nested(tree: Node) -> Any:
    """Return a drawn tree as nested lists."""
    return [nested(one) for one in tree.children] or ast.literal_eval(tree.value)


@pytest.mark.parametrize(
    "search",
    [
        edited((("return best_move", "return best_move, most"),)),
        edited(NO_CUTS), edited(NEGAMAX), by_depth(edited(LIMITED + TOLD)),
        by_depth(edited(SHORTER)), lambda game, state: state.to_move, lambda game, state: None,
        lambda game, state: (*state, 0), edited(HARD + LATER),
    ],
    ids=["a move and its value", "value", "negamax", "by depth", "a ply short", "an error",
         "no move", "a state", "bounds"],
)  # fmt: skip
def test_nothing_is_told_where_no_number_is_known_to_be_wrong(search: Search) -> None:
    """Is nothing guessed of errors, of bounds, of what is no move, and of right searches?"""
    assert smallest(watch, search) is None
    assert searches.first_wrong_number(search) == ""


def test_a_search_may_look_too_far_without_an_error() -> None:
    """Do paths go on below the leaves, each worth what its leaf is, by turns, and never over?"""
    tree = Ahead(games.NestedTree([[3], [5, 2]]))
    assert tree.estimate(tree.result((1, 0), 0), "MIN") == tree.estimate((1, 0), "MIN") == -5
    assert (tree.actions((1, 0)), tree.actions((1,))) == ([0], [0, 1])
    assert (tree.to_move((1, 0, 0)), tree.terminal_test((1, 0, 0))) == ("MIN", False)
    with pytest.raises(ValueError, match="the game is not over in state"):
        tree.utility((1, 0), "MAX")


def test_trees_are_worth_what_they_say() -> None:
    """Is each value right, are all best moves told, and do small trees come first?"""
    for tree, state, value, best in first_wrong.trees():
        values = Trace(games.NestedTree(tree), state).values(state)
        assert max(values.values()) == value
        assert [move for move in values if values[move] == value] == best
    for start in (), (0,):
        made = [one for one in first_wrong.trees() if one[1] == start]
        sizes = [len(paths(tree)) for tree, *_ in made]
        assert sizes == sorted(sizes)
        assert sum(size < 5 for size in sizes) > 15
        assert max(sizes) > 30
        assert sum(len(best) == 1 < len(paths(tree)) for tree, _, _, best in made) > len(made) / 2


def paths(tree: Any, path: State = ()) -> list[State]:
    """Return the paths to the leaves below a path, from left to right."""
    if not isinstance(tree, list):
        return [path]
    return [leaf for i, child in enumerate(tree) for leaf in paths(child, (*path, i))]


def test_the_leaves_that_public_checks_leave_out_cannot_matter() -> None:
    """Are they those that alpha-beta skips from the left?"""
    for tree, leaves in searches.SKIPPED:
        game = Trace(games.NestedTree(tree))
        seen = game.alpha_beta_generates(())
        skipped = [game.game.at(leaf) for leaf in paths(tree) if leaf not in seen]
        assert sorted(skipped) == sorted(leaves)


LEAF = ("00", "", "2", (), "", "", False, True, ())
FOUND = ("0", "MIN", "≤ 1", (LEAF,), "pruned", "", False, False, ("α 3",)), "It says 1."
NODES = (  # which no tree has, or not so large a one
    None, "a text", (0, *LEAF[1:]), (*LEAF[:2], 2), (*LEAF[:3], LEAF), (*LEAF[:4], "ahead"),
    (*LEAF[:6], 1), (*LEAF[:8], (1,)), (*LEAF[:3], (object(),)), ("x" * 8001,),
    functools.reduce(lambda child, _: ("", "", "", (child,)), range(900), LEAF),
)  # fmt: skip
FORGED = [(("0", "MIN", "1", (node,)), "It says 1.") for node in NODES]


@pytest.mark.parametrize("forged", [None, "", (), FOUND[:1], (FOUND[0], "x" * 401), *FORGED])
def test_nothing_forged_is_shown(forged: Any) -> None:
    """Is what a student's process sends shown only in the form and size of a real finding?"""
    assert explain.wrong_number(FOUND) is not None
    assert explain.wrong_number(forged) is None


# --- whether every number that a search is said to have returned was returned by it --------------

# All searches of the banks are run twice on the tree of their first wrong number: once for the
# sentence and the picture, and once beside a listener that knows nothing of them and writes down
# which numbers came back from calls about which state.
ROOT = Path(__file__).parents[1]
SEARCHES = {
    "game-trees": ("minmax_decision", "alpha_beta_search"),
    "tic-tac-toe": ("MiniMax", "AlphaBeta"),
    "connect-four": ("minimax", "alphabeta"),
}
ADAPTED = {"game-trees": adapters.by_state, "connect-four": adapters.by_depth}
SECONDS = 25
OURS = "games.py", "first_wrong.py", "adapters.py", "search.py"  # where no search is
NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|-?\binf\b|\bnan\b"


def returned(search: Search, game: Game, start: State) -> dict[State, set[str]]:
    """Return, as they are written, the numbers that came back from calls about each state.

    A state is a path, a tuple of ints.
    """
    calls, found = list[tuple[Any, State]](), defaultdict[State, set[str]](set)

    def listen(frame: Any, event: str, arg: Any) -> None:
        if Path(frame.f_code.co_filename).name in OURS:
            return
        if event == "call":
            names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
            given = [frame.f_locals.get(name) for name in names]
            paths = [one for one in given if type(one) is tuple and {*map(type, one)} <= {int}]
            calls.extend((frame, path) for path in paths[:1])
        elif event == "return" and calls and calls[-1][0] is frame:
            _, state = calls.pop()
            value = arg[0] if isinstance(arg, tuple) and len(arg) == 2 else arg
            if isinstance(value, Real) and not isinstance(value, bool):
                found[state] |= {f"{float(value) + 0:g}", number(float(value) + 0)}

    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
        sys.setprofile(listen)
        try:
            search(game, start)
        finally:
            sys.setprofile(None)
    return found


def path(name: str) -> State:
    return tuple(map(int, name))


def asked(search: Search) -> tuple[str, list[str]]:
    """Return what is said of a search, and of it what is said or drawn to have been returned,
    and was not.
    """

    def seeded(game: Game, state: State) -> Any:
        random.seed(1950)  # a search that draws its moves draws the same ones again
        return search(game, state)

    found = smallest(watch, seeded)
    if found is None:
        return "", []
    drawn, why = msgspec.convert(found[0], Node), found[1]
    nodes, start = [drawn], path(drawn.name)
    for one in nodes:  # which grow
        nodes += one.children
    game = games.NestedTree([nested(drawn)] if start else nested(drawn))
    known = returned(seeded, game, start)
    claims = [(one.value.strip("≤≥ "), known[path(one.name)])
              for one in nodes[1:] if one.mover and one.value]  # fmt: skip
    (culprit,) = (one for one in nodes if one.current)
    near = set[str]()  # what came back there, and what leaves are worth
    for one in (culprit, *culprit.children):
        worth = [] if one.children else [nested(one), -nested(one)]
        near |= known[path(one.name)] | {f"{number + 0:g}" for number in worth}
    claims += [(one, near) for one in re.findall(NUMBER, re.sub(r"state \d+", "", why))]
    wrong = [f"{why}: {value}" for value, values in claims if value not in values]
    return why, wrong + [f"cannot be shown: {found}"] * (explain.wrong_number(found) is None)


def answers(name: str, solution: bank.Solution) -> dict[str, tuple[str, list[str]]]:
    """Return what is said of each search of a solution, in a process that gets limits for it."""
    warnings.simplefilter("ignore")  # a notebook may warn, which pytest takes for an error
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        return {cell: asked(search) for cell, search in filled(name, solution)}


def filled(name: str, solution: bank.Solution) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the searches that a solution fills, ready for a game and a state."""
    task = course.Course(ROOT).find(name)
    names: dict[str, Any] = vars(games) | {"__name__": "notebook", "display": print}
    filled = {cell for cell, _ in solution.sections}
    needed = {*SEARCHES[name], "TicTacToe", "generate_segments", "evaluate"}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell, source in code(bank.notebook(solution, task), LONG):
            if cell in needed or cell.startswith("own-"):
                with contextlib.suppress(Exception):
                    exec(source, names)  # noqa: S102 - of the bank
    for cell in filled & set(SEARCHES[name]) & names.keys():
        with contextlib.suppress(Exception):
            made = names[cell]
            made = made(**explain.PLAYERS[cell]) if isinstance(made, type) else made
            yield cell, ADAPTED.get(name, lambda search: search)(made)


@pytest.mark.proof
@pytest.mark.parametrize("name", SEARCHES)
def test_all_numbers_that_are_told_were_returned(name: str) -> None:
    """Were they, in the bank, or today's part? Prints what was told."""
    counts, offenders = Counter[str](), list[str]()
    for solution in bank.read_all(course.Course(ROOT).find(name)):
        if solution.kind in ("loop", "cheat") or not is_due(solution.name):
            continue
        known = forked(functools.partial(answers, name, solution), SECONDS)
        if isinstance(known, str):  # a search has used up its time, or else it is an error of ours
            known = {"?": (known, [known] * known.endswith(" 1"))}
        for cell, (told, wrong) in known.items():
            counts[f"{solution.kind}: {'number' if told else 'nothing'}"] += 1
            offenders += [f"{solution.name}:{cell}: {line}" for line in wrong]
            if solution.kind == "right" and told:
                offenders.append(f"{solution.name}:{cell} is right, and told: {told}")
    print(name, dict(sorted(counts.items())))
    assert offenders == []
    if SHARE == 1:
        assert counts["wrong: number"] > 5
