"""Say what is behind a failed search: the likely misconception, and the smallest example of it.

`probe` asks a search a fixed list of questions; the answers of the wrong solutions of the bank are
known (`tic-tac-toe.json`), and one that answers all of them alike names the misconception.
`counterexample` finds the position with the fewest free squares that the search gets wrong, among
those that no hidden check draws, and plays it out. Reveals no hidden position.
"""

import contextlib
import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import canvas.search
from adversarial import inside, rules
from adversarial.oracle import Oracle, shown
from adversarial.trace import Trace
from canvas import first_wrong
from canvas.drawing import (
    Board,
    Node,
    Visit,
    number,
    numbers_said,
    strip,
    svg,
    tree_picture,
)
from games import Fig52Game, Game, GameState, TreeGame
from referee.model import Example, Explanation, Misconception
from referee.sandbox.process import Stopped
from referee.sandbox.student import Proxy, Student, StudentError, ask_each, load

PLAYERS: Mapping[str, Mapping[str, Any]] = {"MiniMax": {}, "AlphaBeta": {"d": 9}}
VALUES = (
    ("max_value", "A", "MAX"), ("min_value", "B", "MAX"), ("min_value", "D", "MAX"),
    ("max_value", "B", "MIN"), ("max_value", "D", "MIN"), ("min_value", "A", "MIN"),
    ("max_value", "B2", "MAX"), ("min_value", "C1", "MIN"),
)  # fmt: skip
RIGHT = "right"  # so the names of right searches among the mistakes begin
PROBED_FREE = 5  # squares that are free at most where a search is probed
SHOWN_FREE = {"MiniMax": 5, "AlphaBeta": 7}  # and where an example is looked for
EIGHT = [5, 6, 7, 4, 3, 2, 9, 8]  # leaves of a tree in which MAX cuts once and MIN cuts once
FUNCTIONS = {  # how each is called, where it is no player
    "minmax_decision": "by_state", "alpha_beta_search": "by_state",
    "minimax": "by_depth", "alphabeta": "by_depth",
}  # fmt: skip
Answers = list[Any]
Mistakes = Mapping[str, Mapping[str, Any]]  # solution: its fields, and its answers to the probes


def explain(assignment: str, cell: str, student: Callable[[], Any]) -> Explanation | None:
    """Explain a failed cell; `student` gives a fresh `Student` as a context manager.

    None for a cell that is no search, or when there is nothing to show.
    """
    if cell not in (*PLAYERS, *FUNCTIONS):
        return None
    misconception = example = None
    if cell in PLAYERS and (mistakes := bank_behaviours(assignment)):
        with contextlib.suppress(StudentError, Stopped), student() as one:
            misconception = named(probe(one, cell), cell, mistakes)
    with contextlib.suppress(StudentError, Stopped), student() as one:
        example = counterexample(one, cell)
    return Explanation(cell, misconception, example) if misconception or example else None


# --- what it behaves like --------------------------------------------------------------------


def probe(student: Student, cell: str) -> Answers:
    """Ask a search the fixed questions; return its answers, as plain data that can be compared."""
    oracle = Oracle()
    answers: Answers = []
    states = _probe_states(oracle)
    game = load(student, inside).Board(*rules.tables(3, 3, 3))
    player = getattr(student, cell)(**PLAYERS[cell])
    answers += _attempt(partial(_on_boards, oracle, player, game, states), len(states))
    figure = Trace(Fig52Game(), *"ABCD")
    for state in "ABCD":
        answers += _attempt(partial(_only, player, figure, state))
    for arguments in VALUES:
        answers += _attempt(partial(_value, student, cell, *arguments))
    for tree in _probe_trees():
        answers += _attempt(partial(_on_tree, student, cell, tree), 3)
    if cell == "AlphaBeta":
        for options in ({"d": 1}, {"d": 2}, {"d": 3}, {"cutoff_test": _two_plies}):
            answers += _attempt(partial(_depths, student, options), 3)
        answers += _attempt(partial(_window, student), 4)
    return answers


def named(answers: Answers, cell: str, mistakes: Mistakes) -> Misconception | None:
    """Return the known mistake that answers every question alike, unless a right search does, too.

    What is only nearly alike has no name: it is another mistake more often than not.
    """
    alike = [
        name
        for name, entry in mistakes.items()
        if (entry["Cell"], entry["answers"]) == (cell, answers)
    ]
    if not alike or any(name.startswith(RIGHT) for name in alike):
        return None
    entry = mistakes[name := min(alike)]
    return Misconception(
        solution=name,
        behaves_like=entry["Behaves like"],
        area=entry["Area"],
        principle=entry["Principle"],
        example=entry["Example"],
    )


def behaviours_file(assignment: str) -> Path:
    """Return the file that holds how the wrong searches of an assignment's bank behave."""
    return Path(__file__).parent / f"{assignment}.json"


def bank_behaviours(assignment: str) -> dict[str, dict[str, Any]]:
    """Return what is known of the wrong solutions of an assignment's bank."""
    file = behaviours_file(assignment)
    return dict(json.loads(file.read_text("utf-8"))) if file.is_file() else {}


def _attempt(ask: Callable[[], Answers], count: int = 1) -> Answers:
    """Return the answers, or `count` times what went wrong."""
    try:
        return ask()
    except StudentError as error:
        return [f"raises {error.kinds[0] if error.kinds else 'an error'}"] * count
    except Stopped as stop:
        return [f"stopped: {stop.verdict}"] * count


def _plain(answer: Any) -> Any:
    """Return an answer as JSON can hold it; only whether an object came back, not which."""
    if type(answer) is float and answer == int(answer if math.isfinite(answer) else 0.5):
        return int(answer)
    if answer is None or type(answer) in (int, str, bool):
        return answer
    return type(answer).__name__


def _quality(oracle: Oracle, state: GameState, move: Any) -> Any:
    """Return what a move gives away: 0 a best move, else the points lost; or "illegal"."""
    values = oracle.values(state)
    if type(move) is not tuple or move not in state.moves:
        return "illegal"
    return values[move] - max(values.values())


def _probe_states(oracle: Oracle) -> list[GameState]:
    chance = random.Random(52)
    few = [s for s in oracle.open_states() if shown(s) and 2 <= len(s.moves) <= PROBED_FREE]
    clear = [s for s in few if len(set(oracle.values(s).values())) > 1]
    lost = [s for s in few if set(oracle.values(s).values()) == {-1}]
    return chance.sample(clear, 100) + chance.sample(lost, 10)


def _probe_trees() -> list[TreeGame]:
    chance = random.Random(1975)
    shapes = [(2, 3), (3, 3), (2, 4), (3, 2)]
    return [TreeGame(chance.sample(range(-99, 100), b**plies), b) for b, plies in shapes]


def _on_boards(oracle: Oracle, player: Proxy, game: Proxy, states: Sequence[GameState]) -> Answers:
    moves = ask_each(player, [(game, state) for state in states])
    return [_quality(oracle, state, move) for state, move in zip(states, moves, strict=True)]


def _only(player: Proxy, game: Trace, state: str) -> Answers:
    return [_plain(player(game, state))]


def _value(student: Student, cell: str, method: str, state: str, player: str) -> Answers:
    """Return a value of the figure's tree, asked with the full window."""
    figure = Trace(Fig52Game(), *"ABCD", "B2", "C1")
    window = (-math.inf, math.inf, 0) if cell == "AlphaBeta" else ()
    searching = getattr(student, cell)(game=figure, **PLAYERS[cell])
    return [_plain(getattr(searching, method)(state, player, *window))]


def _two_plies(state: Any, depth: Any) -> bool:
    return bool(depth >= 2)


def _on_tree(student: Student, cell: str, tree: TreeGame) -> Answers:
    """Return what the move gives away, how many states were generated, and how many too many."""
    game = Trace(tree)
    move = getattr(student, cell)(**PLAYERS[cell])(game, ())
    if move not in tree.actions(()):
        return ["illegal", len(game.generated), 0]
    best = game.minimax_value((), "MAX")
    lost = game.minimax_value((move,), "MAX") - best
    allowed = game.alpha_beta_generates(()) if cell == "AlphaBeta" else game.minimax_generates(())
    return [lost != 0, len(game.generated), len(game.generated) - len(allowed)]


def _depths(student: Student, options: dict[str, Any]) -> Answers:
    """Return how deep a search with a limit goes, where it evaluates, and what it then plays."""
    chance = random.Random(4)
    tree = TreeGame(chance.sample(range(100), 16), 2)
    worth: dict[Any, int] = {}
    game = Trace(tree)

    def evaluate(state: Any) -> int:
        worth[state] = 7 * sum(state) - 3 * len(state) + 50 * (state[:1] == (1,))
        return worth[state]

    move = student.AlphaBeta(**options, eval_fn=evaluate)(game, ())
    deepest = max((len(state) for state in game.generated), default=0)
    return [deepest, sorted({len(state) for state in worth}), _plain(move)]


def _window(student: Student) -> Answers:
    """Return values asked with windows that cut and that do not."""
    figure = Trace(Fig52Game(), *"ABCD")
    answers: Answers = []
    for state, alpha, beta in [("C", 3, math.inf), ("B", 2, math.inf), ("D", 5, 20), ("A", 0, 3)]:
        player = student.AlphaBeta(9, figure)
        method = player.max_value if state == "A" else player.min_value
        before = len(figure.generated)
        value = method(state, "MAX", alpha, beta, 0)
        exact = alpha < {"A": 3, "B": 3, "C": 2, "D": 2}[state] < beta
        answers.append([_plain(value) if exact else None, len(figure.generated) - before])
    return answers


# --- the smallest example --------------------------------------------------------------------


def counterexample(student: Student, cell: str) -> Example | None:
    """Return the smallest position that a search gets wrong, else a tree it walks wrongly."""
    if cell in FUNCTIONS:
        return _wrong_number(getattr(student, cell), student, FUNCTIONS[cell])
    return (
        _wrong_board(student, cell)
        or _wrong_number(getattr(student, cell)(**PLAYERS[cell]), student)
        or _wrong_tree(student, cell, Fig52Game(), "the tree of figure 5.2")
        or _wrong_tree(student, cell, TreeGame(EIGHT, 2), f"the tree TreeGame({EIGHT}, 2)")
        or (_wrong_depth(student) if cell == "AlphaBeta" else None)
    )


def _wrong_board(student: Student, cell: str) -> Example | None:
    oracle = Oracle()
    free = range(2, SHOWN_FREE[cell] + 1)
    states = [state for state in oracle.open_states() if shown(state) and len(state.moves) in free]
    states.sort(key=lambda state: len(state.moves))
    game = load(student, inside).Board(*rules.tables(3, 3, 3))
    player: Proxy = getattr(student, cell)(**PLAYERS[cell])
    try:
        moves = ask_each(player, [(game, state) for state in states])
    except StudentError:
        return None
    for state, move in zip(states, moves, strict=True):
        if _quality(oracle, state, move) != 0:
            return _played_out(oracle, state, move)
    return None


def _played_out(oracle: Oracle, state: GameState, move: Any) -> Example:
    """Tell what a wrong move leads to, when both play their best from then on."""
    values = oracle.values(state)
    best = ", ".join(str(square) for square in sorted(oracle.best_moves(state)))
    words = {1: "wins", 0: "draws", -1: "loses"}
    worth = ", ".join(f"{square} {words[value]}" for square, value in sorted(values.items()))
    if _quality(oracle, state, move) == "illegal":
        boards = [_board(state, None, f"{state.to_move} to move")]
        sentence = (
            f"Here {state.to_move} is to move, and what your player returned is no legal move."
        )
    else:
        boards = _strip(oracle, state, move)
        sentence = (
            f"Here {state.to_move} is to move and your player plays {move}, which "
            f"{words[values[move]]} for {state.to_move}; best: {best}."
        )
    picture = strip(boards)
    best_play = f"Each move with best play: {worth}."
    return Example(sentence, picture.text, svg(picture, "What follows from it"), best_play)


def _strip(oracle: Oracle, state: GameState, move: Any) -> list[Board]:
    game = rules.TicTacToe()
    boards = [_board(state, None, f"{state.to_move} to move")]
    after = game.result(state, move)
    boards.append(_board(after, move, f"{state.to_move}: yours"))
    for reply in oracle.line_of_play(after):
        player = after.to_move
        after = game.result(after, reply)
        boards.append(_board(after, reply, player))
    end = {1: "X wins", -1: "O wins", 0: "draw"}[int(after.utility)]
    last = boards[-1]
    return [*boards[:-1], last._replace(caption=f"{last.caption}, {end}")]


def _board(state: GameState, last: Any, caption: str) -> Board:
    return Board(3, 3, state.board, last, caption=caption)


def _wrong_number(search: Proxy, student: Student, called: str = "") -> Example | None:
    """Show the first number that a search contradicts itself with, on a tree as small as can be.

    The search is watched in the student's process, as by a canvas: what comes back is only shown.
    """
    watch = load(student, canvas.search).watch
    looking = load(student, first_wrong)
    found = looking.smallest(watch, getattr(looking, called)(search) if called else search)
    if not can_be_shown(found):
        return None
    tree, culprit, why, said = found
    picture = tree_picture(numbers_said(tree, said, culprit))
    return Example(why, picture.text, svg(picture, "The first wrong number"))


def can_be_shown(found: Any) -> bool:
    """Return whether it has the form and size of what `first_wrong.smallest` finds.

    It comes from the student's process, which can send anything.
    """
    match found:
        case (tree, culprit, str(why), dict(said)):
            paths = all(map(_is_path, [culprit, *said]))
            numbers = all(map(_is_number, said.values()))
            return _is_tree(tree) and len(why) <= 400 and paths and numbers
    return False


def _is_path(state: Any) -> bool:
    return type(state) is tuple and all(type(move) is int for move in state)


def _is_tree(tree: Any, plies: int = 4) -> bool:
    if not isinstance(tree, list):
        return _is_number(tree)
    return plies > 0 and 0 < len(tree) <= 3 and all(_is_tree(child, plies - 1) for child in tree)


def _is_number(value: Any) -> bool:
    return type(value) is float or (type(value) is int and abs(value) < 2**53)


def _wrong_tree(student: Student, cell: str, tree: Game, name: str) -> Example | None:
    """Show a tree as the search walks it, if it visits too much or too little.

    No value in the tree comes twice where it matters, so both pruning rules walk it alike.
    """
    game = Trace(tree)
    try:
        getattr(student, cell)(**PLAYERS[cell])(game, game.initial)
    except StudentError:
        return None
    whole = game.minimax_generates(game.initial)
    allowed = game.alpha_beta_generates(game.initial) if cell == "AlphaBeta" else whole
    order = " ".join(map(_name, game.generated)) or "nothing"

    def visit(state: Any) -> Visit:
        times = game.generated.count(state)
        if times > (state in allowed):
            return Visit.SUPERFLUOUS
        return Visit.VISITED if times else Visit.MISSING if state in allowed else Visit.PRUNED

    words = f"In {name} your search generates, in this order: {order}."
    right = {Visit.VISITED, Visit.PRUNED}
    return _drawn(tree, visit, words) if set(map(visit, whole)) - right else None


def _wrong_depth(student: Student) -> Example | None:
    """Show a tree in which the search goes deeper than d plies, or less deep."""
    for d in (1, 2):
        tree = TreeGame(EIGHT, 2)
        game = Trace(tree)
        try:
            student.AlphaBeta(d=d, eval_fn=sum)(game, ())
        except StudentError:
            return None
        visited = set(game.generated)
        deepest = max((len(state) for state in visited), default=0)

        def visit(state: Any, d: int = d, visited: Any = visited, deepest: int = deepest) -> Visit:
            if state in visited:
                return Visit.SUPERFLUOUS if len(state) > d else Visit.VISITED
            return Visit.MISSING if deepest < len(state) <= d else Visit.AHEAD

        if deepest != d:
            plies = "ply" if deepest == 1 else "plies"
            words = f"With d={d} your search goes {deepest} {plies} deep in TreeGame({EIGHT}, 2)."
            return _drawn(tree, visit, words)
    return None


def _drawn(tree: Game, visit: Callable[[Any], Visit], words: str) -> Example:
    """Draw a whole tree; `visit` says of each state but the root how it was visited."""

    def node(state: Any, visited: Visit) -> Node:
        children = [tree.result(state, move) for move in tree.actions(state)]
        mover = tree.to_move(state) if children else ""
        value = "" if children else number(tree.utility(state, "MAX"))
        return Node(_name(state), mover, value, [node(c, visit(c)) for c in children], visited)

    picture = tree_picture(node(tree.initial, Visit.VISITED), legend=True)
    return Example(words, picture.text, svg(picture, "Where your search goes"))


def _name(state: Any) -> str:
    """Return what a picture calls a state: the path of a tree's state as one word."""
    return state if isinstance(state, str) else "".join(map(str, state)) or "()"
