"""Explain a failed search or function: the likely misconception, and the smallest example of it.

`symptoms` and `functions` name the misconception. `counterexample` finds the position with the
fewest free squares that the search gets wrong, among those that no hidden check draws.
"""

import contextlib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import handout.canvas.search
from adversarial.diagnosis import functions, slips, symptoms
from adversarial.diagnosis.strip import strip
from adversarial.games import rules, sent_boards
from adversarial.games.recorded import Trace
from adversarial.solvers.tictactoe import Oracle, shown
from games import ConnectFour, Fig52Game, Game, GameState, TreeGame
from handout.canvas import first_wrong
from handout.canvas.drawing import (
    BOUNDS,
    Board,
    Node,
    Visit,
    number,
    numbers_said,
    svg,
    tree_picture,
)
from referee.model import Example, Explanation, Misconception
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.student import Proxy, Student, StudentError, ask_each, load

PLAYERS: Mapping[str, Mapping[str, Any]] = {"MiniMax": {}, "AlphaBeta": {"d": 9}}
SHOWN_FREE = {"MiniMax": 5, "AlphaBeta": 7}  # the most free squares of an example
SHORT = 40  # characters of an answer that is shown
END = ".?"
WORDS = {"tuple": "a tuple", "list": "the list", "dict": "a dict", "str": "the text"}
FIGURE = "a1", "a2", "a3"  # the moves in A of figure 5.2
EIGHT = [5, 6, 7, 4, 3, 2, 9, 8]  # leaves of a tree in which MAX cuts once and MIN cuts once
CELLS = symptoms.KINDS.keys() | functions.CELLS | {"find_best_move"}
FUNCTIONS = {  # of searches that are functions: how each is called
    "minmax_decision": "by_state", "alpha_beta_search": "by_state",
    "minimax": "by_depth", "alphabeta": "by_depth",
}  # fmt: skip


def explain(_assignment: str, cell: str, student: Callable[[], Any]) -> Explanation | None:
    """Explain a failed cell; `student` gives a fresh `Student` as a context manager.

    None for a cell that is neither a search nor a function, or if there is nothing to show.
    """
    if cell not in CELLS:
        return None
    misconception = example = None
    with contextlib.suppress(StudentError, Stopped):
        misconception = in_words(named(student, cell))
    with contextlib.suppress(StudentError, Stopped), student() as one:
        example = kind_of_answer(one, cell)
    if example is None and cell in symptoms.KINDS:
        with contextlib.suppress(StudentError, Stopped), student() as one:
            example = counterexample(one, cell)
    if misconception:
        with contextlib.suppress(StudentError, Stopped), student() as one:
            misconception.example = to_try(one, cell) or misconception.example
    return Explanation(cell, misconception, example) if misconception or example else None


def named(fresh: symptoms.Fresh, cell: str) -> list[slips.KnownMistake]:
    """Return the likely misconceptions in a search or a function; [] if none is likely."""
    if cell in functions.CELLS:
        return functions.named(fresh, cell)
    return symptoms.named(fresh, cell) if cell in symptoms.KINDS else []


def in_words(found: Sequence[slips.KnownMistake]) -> Misconception | None:
    """Return the texts of a misconception, or of two combined; None for none."""
    if not found:
        return None

    def all_of(key: str, between: str) -> str:
        return between.join(dict.fromkeys(one.words[key] for one in found))

    return Misconception(
        name=", ".join(one.name for one in found),
        behaves_like=all_of("like", ", and like "),
        area=all_of("area", "; "),
        principle=all_of("rule", " "),
        example=found[0].words["try"],
    )


def to_try(student: Student, cell: str) -> str:
    """Return a tree to search by hand, on which that very program is wrong; "" for none."""
    found = _found_wrong(student, cell) if cell in {*FUNCTIONS, *PLAYERS} else None
    if found is None:
        return ""
    tree, _, why, *_ = found
    where = "MIN searches in state 0" if "MIN searches" in why else "MAX searches at the root"
    return (
        f"`Tree({tree})`, on which yours is wrong: {where}. Write its value beside each state, "
        "from the leaves up, and then ask yours for each."
    )


# --- what came back ----------------------------------------------------------------------------


def kind_of_answer(student: Student, cell: str) -> Example | None:
    """Say what a search or function has returned, if that is not the kind of thing asked for."""
    if cell == "generate_segments":
        answer, asked = student.generate_segments(5, 4, 3), "`generate_segments(5, 4, 3)`"
        why = "" if type(answer) in (list, tuple) else "asked is a list of segments"
    elif cell in functions.FUNCTIONS:
        questions = functions.FUNCTIONS[cell].questions()
        answer, asked = getattr(student, cell)(*questions[0]), f"`{cell}`"
        why = "" if type(answer) in functions.NUMBERS else "asked is a number"
    elif cell == "find_best_move":
        answer = student.find_best_move(ConnectFour(), ConnectFour().initial, 1)
        why, asked = _no_move(answer, range(7)), f"On the empty board `{cell}`"
    else:
        kind = symptoms.KINDS[cell]
        question = symptoms.figure(kind)
        answer = kind.ask(student, question, Trace(question.game, question.state))
        asked = "With MAX to move in A of figure 5.2 the search"
        why = _no_value_and_move(answer) if kind.by_depth else _no_move(answer, FIGURE)
    if not why:
        return None
    if answer is None:
        why += "; does each way through the function end with `return`"
    return Example(f"{asked} returned {_shown(answer)}: {why}{END[answer is None]}", "", "")


def _no_move(answer: Any, moves: Collection[Any]) -> str:
    """Return what is wrong with an answer that should be one of the moves; "" if it is one."""
    if _is_one(answer, moves):
        return ""
    if type(answer) in (tuple, list) and any(_is_one(part, moves) for part in answer):
        return "asked is the move alone, without what stands beside it"
    if type(answer) is str and answer in ("B", "C", "D"):
        return "asked is the move, and this is the state that it leads to"
    if type(answer) in functions.NUMBERS:
        return "asked is the move, and this is a number, such as a value"
    return f"asked is a move, such as {next(iter(moves))!r}"


def _no_value_and_move(answer: Any) -> str:
    """Return what is wrong with an answer that should be a value and a move, or ""."""
    asked = "asked is a pair, the value and the move"
    if type(answer) not in (tuple, list) or len(answer) != 2:
        return asked
    value, move = answer
    if _is_one(value, FIGURE) and type(move) in functions.NUMBERS:
        return f"{asked}, in this order"
    return "" if type(value) in functions.NUMBERS and _is_one(move, FIGURE) else asked


def _is_one(answer: Any, moves: Collection[Any]) -> bool:
    return type(answer) in (str, int) and answer in moves


def _shown(answer: Any) -> str:
    """Return an answer in a few words: its kind, and its value if that is plain and short."""
    if answer is None or type(answer) in (bool, *functions.NUMBERS):
        return str(answer)[:SHORT]
    if isinstance(answer, Proxy):
        return "an object of a class"
    is_pair = type(answer) is tuple and len(answer) == 2
    kind = "the pair" if is_pair else WORDS.get(type(answer).__name__, "something else")
    is_plain = type(answer) is str or (
        type(answer) in (tuple, list, dict)
        and all(type(part) in (str, bool, type(None), *functions.NUMBERS) for part in answer)
    )
    text = repr(answer) if is_plain else ""
    return f"{kind} {text}" if 0 < len(text) <= SHORT else kind


# --- the smallest example --------------------------------------------------------------------


def counterexample(student: Student, cell: str) -> Example | None:
    """Return the smallest position that a search gets wrong, else a tree searched wrongly."""
    if cell in FUNCTIONS:
        return _wrong_number(student, cell)
    return (
        _wrong_board(student, cell)
        or _wrong_number(student, cell)
        or _wrong_tree(student, cell, Fig52Game(), "the tree of figure 5.2")
        or _wrong_tree(student, cell, TreeGame(EIGHT, 2), f"the tree TreeGame({EIGHT}, 2)")
        or (_wrong_depth(student) if cell == "AlphaBeta" else None)
    )


def _wrong_board(student: Student, cell: str) -> Example | None:
    oracle = Oracle()
    free = range(2, SHOWN_FREE[cell] + 1)
    states = [state for state in oracle.open_states() if shown(state) and len(state.moves) in free]
    states.sort(key=lambda state: len(state.moves))
    game = load(student, sent_boards).SentBoard(*rules.tables(3, 3, 3))
    player: Proxy = getattr(student, cell)(**PLAYERS[cell])
    try:
        moves = ask_each(player, [(game, state) for state in states])
    except StudentError:
        return None
    for state, move in zip(states, moves, strict=True):
        if _quality(oracle, state, move) != 0:
            return _played_out(oracle, state, move)
    return None


def _quality(oracle: Oracle, state: GameState, move: Any) -> Any:
    """Return 0 for a best move, less by the value lost for another, or "illegal"."""
    values = oracle.values(state)
    if type(move) is not tuple or move not in state.moves:
        return "illegal"
    return values[move] - max(values.values())


def _played_out(oracle: Oracle, state: GameState, move: Any) -> Example:
    """Show the game that follows a wrong move, with best play on both sides."""
    values = oracle.values(state)
    best = ", ".join(str(square) for square in sorted(oracle.best_moves(state)))
    words = {1: "wins", 0: "draws", -1: "loses"}
    worth = ", ".join(f"{square} {words[value]}" for square, value in sorted(values.items()))
    if _quality(oracle, state, move) == "illegal":
        boards, title = [_board(state, None, f"{state.to_move} to move")], "Where it happens"
        sentence = (
            f"Here {state.to_move} is to move, and your player returned {_short(move)}, which is "
            "no legal move."
        )
    else:
        boards, title = _strip(oracle, state, move), "What follows from it"
        sentence = (
            f"Here {state.to_move} is to move and your player plays {move}, which "
            f"{words[values[move]]} for {state.to_move}; best: {best}."
        )
    picture = strip(boards)
    best_play = f"Each move with best play: {worth}."
    return Example(sentence, picture.text, svg(picture, title), best_play)


def _short(answer: Any) -> str:
    """Return what a player returned, as it is written and not too long."""
    shown = "an object" if isinstance(answer, Proxy) else repr(answer)
    return shown if len(shown) <= 60 else f"{shown[:60]} ..."


def _strip(oracle: Oracle, state: GameState, move: Any) -> list[tuple[Board, str]]:
    game = rules.TicTacToe()
    boards = [_board(state, None, f"{state.to_move} to move")]
    after = game.result(state, move)
    boards.append(_board(after, move, f"{state.to_move}: yours"))
    for reply in oracle.line_of_play(after):
        player = after.to_move
        after = game.result(after, reply)
        boards.append(_board(after, reply, player))
    end = {1: "X wins", -1: "O wins", 0: "draw"}[int(after.utility)]
    last, caption = boards[-1]
    return [*boards[:-1], (last, f"{caption}, {end}")]


def _board(state: GameState, last: Any, caption: str) -> tuple[Board, str]:
    return Board(3, 3, state.board, last), caption


def _found_wrong(student: Student, cell: str) -> Any:
    """Return the first wrong number of a search, on the smallest tree that has one, or None.

    The search is recorded in the student's process: the result is shown, and trusted for nothing.
    """
    search, watch = getattr(student, cell), load(student, handout.canvas.search).watch
    looking = load(student, first_wrong)
    if cell in FUNCTIONS:
        search = getattr(looking, FUNCTIONS[cell])(search)
    else:
        search = search(**PLAYERS[cell])
    found = looking.smallest(watch, search)
    return found if can_be_shown(found) else None


def _wrong_number(student: Student, cell: str) -> Example | None:
    """Show the first wrong number of a search."""
    found = _found_wrong(student, cell)
    if found is None:
        return None
    tree, culprit, why, said, cut = found
    picture = tree_picture(numbers_said(tree, said, culprit, cut))
    return Example(why, picture.text, svg(picture, "The first wrong number"))


def can_be_shown(found: Any) -> bool:
    """Return whether `found` has the form and size of a result of `first_wrong.smallest`.

    The student's process can send anything.
    """
    match found:
        case (tree, culprit, str(why), dict(said), dict(cut)):
            paths = all(map(_is_path, [culprit, *said, *cut]))
            numbers = all(map(_is_number, said.values()))
            marks = {*cut.values()} <= {*BOUNDS, Visit.PRUNED}
            drawn = isinstance(tree, list) and _is_tree(tree) and len(repr(tree)) <= 400
            return drawn and len(why) <= 400 and paths and numbers and marks
    return False


def _is_path(state: Any) -> bool:
    return type(state) is tuple and all(type(move) is int for move in state)


def _is_tree(tree: Any, plies: int = 8) -> bool:
    if not isinstance(tree, list):
        return _is_number(tree)
    return plies > 0 and 0 < len(tree) <= 6 and all(_is_tree(child, plies - 1) for child in tree)


def _is_number(value: Any) -> bool:
    return type(value) is float or (type(value) is int and abs(value) < 2**53)


def _wrong_tree(student: Student, cell: str, tree: Game, name: str) -> Example | None:
    """Show the states that a search generates in a tree, if they are too many or too few.

    The trees have no equal values, so pruning on equality or only beyond it generates the same.
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
    """Show a tree in which the search does not go `d` plies deep."""
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
    """Draw a whole tree; `visit` returns how a state below the root was visited."""

    def node(state: Any, visited: Visit) -> Node:
        children = [tree.result(state, move) for move in tree.actions(state)]
        mover = tree.to_move(state) if children else ""
        value = "" if children else number(tree.utility(state, "MAX"))
        return Node(_name(state), mover, value, [node(c, visit(c)) for c in children], visited)

    picture = tree_picture(node(tree.initial, Visit.VISITED), legend=True)
    return Example(words, picture.text, svg(picture, "Where your search goes"))


def _name(state: Any) -> str:
    """Return the name of a state in a picture; a path as one word."""
    return state if isinstance(state, str) else "".join(map(str, state)) or "()"
