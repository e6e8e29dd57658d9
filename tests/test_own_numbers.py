"""Ask whether every number that a search is said to have returned was returned by it.

All searches of the banks, and a sample of mutants of right ones, are run twice on the tree of their
first wrong number: once for the sentence and the picture, and once beside a listener that knows
nothing of them and writes down which numbers came back from calls about which state.
"""

import contextlib
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
from typing import Any

import pytest
from greens import LONG, code, forked
from shares import SHARE, is_due

import adapters
import first_wrong
import games
from adversarial.diagnosis import explain
from canvas.drawing import number
from canvas.search import watch
from first_wrong import Path as State
from referee import course
from referee.proof import bank

ROOT = Path(__file__).parents[1]
SEARCHES = {
    "game-trees": ("minmax_decision", "alpha_beta_search"),
    "tic-tac-toe": ("MiniMax", "AlphaBeta"),
    "connect-four": ("minimax", "alphabeta"),
}
ADAPTED = {"game-trees": adapters.by_state, "connect-four": adapters.by_depth}
SECONDS = 25
OURS = "games.py", "first_wrong.py", "adapters.py", "search.py"  # where no search is
NUMBER = r"(-?[\d.]+(?:e[+-]?\d+)?|-?inf|nan)"
PLACE = r"(the root|state \d+)"


class Listener:
    """Writes down what came back from calls about a state."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, State]] = []
        self.returned = defaultdict[State, set[str]](set)

    def __call__(self, frame: Any, event: str, arg: Any) -> None:
        """Hear a call or a return; a state is a path, a tuple of ints."""
        if Path(frame.f_code.co_filename).name in OURS:
            return
        if event == "call":
            names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
            given = [frame.f_locals.get(name) for name in names]
            paths = [one for one in given if type(one) is tuple and {*map(type, one)} <= {int}]
            self.calls += [(frame, path) for path in paths[:1]]
        elif event == "return" and self.calls and self.calls[-1][0] is frame:
            _, state = self.calls.pop()
            value = arg[0] if isinstance(arg, tuple) and len(arg) == 2 else arg
            if isinstance(value, Real) and not isinstance(value, bool):
                self.returned[state] |= {f"{float(value) + 0:g}", number(float(value) + 0)}


def heard(search: Callable[..., Any], tree: Any) -> dict[State, set[str]]:
    """Return what a search returns of each state of a tree, as it is written."""
    listener = Listener()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
        sys.setprofile(listener)
        try:
            search(games.NestedTree(tree), ())
        finally:
            sys.setprofile(None)
    return listener.returned


def path(place: str) -> State:
    return tuple(map(int, place.removeprefix("state "))) if place != "the root" else ()


def not_returned(found: Any, search: Callable[..., Any]) -> list[str]:
    """Return the numbers that are said, or drawn, to have been returned, and were not."""
    tree, culprit, why, said, _ = found
    returned, game = heard(search, tree), games.NestedTree(tree)

    def numbers(state: State) -> set[str]:
        here = game.at(state)
        own = set() if isinstance(here, list) else {f"{here:g}", f"{-here + 0:g}"}
        return returned[state] | own  # a leaf that nothing is said of has what it is worth

    def below(state: State) -> set[str]:
        here = game.at(state)
        children = range(len(here)) if isinstance(here, list) else ()
        return set[str]().union(*(numbers((*state, child)) for child in children))

    claims = [(f"{one} = {value}", number(value), returned[one]) for one, value in said.items()]
    for place, value in re.findall(f"says that {PLACE} is worth {NUMBER}", why):
        claims.append((why, value, returned[path(place)]))
    for values in re.findall(f"children have ((?:{NUMBER}(?:, )?)+)", why):
        claims += [(why, value, below(culprit)) for value in values[0].strip(", ").split(", ")]
    for value in re.findall(f"a child has {NUMBER}", why):
        claims.append((why, value, below(culprit)))
    for place, value in re.findall(f"{PLACE}(?:, which)? has {NUMBER}", why):
        claims.append((why, value, numbers(path(place))))
    return [f"{what}: {value} not in {kept}" for what, value, kept in claims
            if value.rstrip(".") not in kept]  # fmt: skip


def asked(search: Callable[..., Any]) -> tuple[str, list[str]]:
    """Return what is said of a search, in words, and what of it is not so."""

    def seeded(game: games.Game, state: State) -> Any:
        random.seed(1950)  # a search that draws its moves draws the same ones again
        return search(game, state)

    found = first_wrong.smallest(watch, seeded)
    if found is None:
        return "", []
    wrong = not_returned(found, seeded)
    if not explain.can_be_shown(found):
        wrong.append(f"cannot be shown: {found}")
    return found[2], wrong


def in_a_fork(name: str, solution: bank.Solution) -> Any:
    """Return what is said of each search of a solution, which runs in a fork with limits."""

    def answers() -> Any:
        warnings.simplefilter("ignore")  # a notebook may warn, which pytest takes for an error
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
        with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
            return {cell: asked(search) for cell, search in searches(name, solution)}

    known = forked(answers, SECONDS)
    if isinstance(known, str):  # a search has used up its time, or else it is an error of ours
        return {"?": (known, [known] * known.endswith(" 1"))}
    return known


def searches(name: str, solution: bank.Solution) -> Iterator[tuple[str, Callable[..., Any]]]:
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
        asks = solution.kind in ("right", "wrong", "crash") and is_due(solution.name)
        for cell, (told, wrong) in in_a_fork(name, solution).items() if asks else ():
            counts[f"{solution.kind}: {'number' if told else 'nothing'}"] += 1
            offenders += [f"{solution.name}:{cell}: {line}" for line in wrong]
            if solution.kind == "right" and told:
                offenders.append(f"{solution.name}:{cell} is right, and told: {told}")
    print(name, dict(sorted(counts.items())))
    assert offenders == []
    if SHARE == 1:
        assert counts["wrong: number"] > 5
