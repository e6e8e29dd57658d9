"""Explain a failed search or function: the likely misconception, and the smallest example of it.

`symptoms` names the misconception of a search. `counterexample` finds the position with the
fewest free squares that the search gets wrong, among those that no hidden check draws.
"""

import contextlib
import itertools
import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import handout.canvas.search
from adversarial.diagnosis import sent_watch, slips, symptoms
from adversarial.diagnosis.questions import TreeQuestion
from adversarial.diagnosis.strip import strip
from adversarial.games import rules, sent_boards
from adversarial.games.recorded import Trace
from adversarial.solvers.tictactoe import Oracle, shown
from games import ConnectFour, Fig52Game, Game, GameState, TreeGame, after
from handout import adapters, first_wrong
from handout.canvas.board_drawing import Board
from handout.canvas.drawing import (
    BOUNDS,
    Node,
    Visit,
    number,
    numbers_said,
    svg,
    tree_picture,
)
from referee.model import Example, Explanation, Misconception
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.student import (
    Proxy,
    Student,
    StudentError,
    ask_each,
    call_and_look,
    load,
)

PLAYERS: Mapping[str, Mapping[str, Any]] = {"MiniMax": {}, "AlphaBeta": {"d": 9}}
SHOWN_FREE = {"MiniMax": 5, "AlphaBeta": 7}  # the most free squares of an example
SHORT = 40  # characters of an answer that is shown
WORDS = {"tuple": "a tuple", "list": "the list", "dict": "a dict", "str": "the text"}
FIGURE = "a1", "a2", "a3"  # the moves in A of figure 5.2
RULES = (3, 3, 3), (2, 5, 3), (4, 4, 4), (5, 4, 3), (3, 3, 2)
GAMES = 12  # at random on each of these boards
EIGHT = [5, 6, 7, 4, 3, 2, 9, 8]  # leaves of a tree in which MAX cuts once and MIN cuts once
NUMBERS = int, float, Fraction
OF_BOARDS: Mapping[str, Callable[[GameState], tuple[Any, ...]]] = {  # what each is called with
    "evaluate": lambda state: (state, state.to_move),
    "top_pieces": lambda state: (state,),
    "tree_size": lambda state: (ConnectFour(2, 2, 2), after(ConnectFour(2, 2, 2), [])),
}
NAMED = symptoms.KINDS.keys()  # cells whose mistakes have names
CELLS = {*NAMED, *OF_BOARDS, "generate_segments", "find_best_move", "TicTacToe"}
FUNCTIONS = {  # of searches that are functions: how each is called
    "minmax_decision": "by_state", "alpha_beta_search": "by_state",
    "minimax": "by_depth", "alphabeta": "by_depth",
}  # fmt: skip


def explain(_assignment: str, cell: str, student: Callable[[], Any]) -> Explanation | None:
    """Explain a failed cell; `student` gives a fresh `Student` as a context manager.

    None for a cell that has no explanations, or if there is nothing to show.
    """
    if cell not in CELLS:
        return None
    misconception = example = None
    with contextlib.suppress(StudentError, Stopped):
        misconception = in_words(symptoms.named(student, cell) if cell in NAMED else None)
    keeps = misconception is not None and misconception.name == "something_is_kept"
    with contextlib.suppress(StudentError, Stopped):
        example = left_behind(student, cell, keeps)
    if example:
        misconception = misconception if keeps else None
    for look in (kind_of_answer, counterexample):
        if example is None:
            with contextlib.suppress(StudentError, Stopped), student() as one:
                example = look(one, cell)
    return Explanation(cell, misconception, example) if misconception or example else None


def in_words(found: slips.KnownMistake | None) -> Misconception | None:
    """Return the texts of a misconception; None for none."""
    if found is None:
        return None
    words = found.words
    return Misconception(found.name, words["like"], words["area"], words["rule"], words["try"])


# --- what came back, and what was left behind ---------------------------------------------------


class Question(NamedTuple):
    """A call of what a cell defines, in words, and what is wrong with its answer, or ""."""

    words: str
    answer: Callable[[Student], Any]
    wrong: Callable[[Any], str]


def left_behind(fresh: symptoms.Fresh, cell: str, keeps: bool = False) -> Example | None:
    """Name what calls change and later calls find.

    A number is named if code reads it. A list or a table may be kept with good reason: it is named
    if it is known that the code `keeps` something, or if the order of calls changes the answers.
    """
    answers, changed = list[Any](), dict[str, str]()
    for step in 1, -1:
        with fresh() as student:
            watching = load(student, sent_watch)
            before = watching.kept()
            asked = list(enumerate(questions(cell)))[::step]
            answers.append({number: _tried(student, one) for number, one in asked})
            after = watching.kept()
            changed |= {name: text for name, text in after.items() if text != before.get(name)}
    depends = keeps or answers[0] != answers[1]
    found = [name for name, text in changed.items() if depends or text[0] not in "[{s"]
    what = ", ".join(found[:3])
    told = f"Calls change {what}, and the next call finds what is left there."
    return Example(told, "", "") if found else None


def _tried(student: Student, question: Question) -> str:
    try:
        return _shown(question.answer(student))
    except StudentError as error:
        return str(error)


def kind_of_answer(student: Student, cell: str) -> Example | None:
    """Say what a search or function has returned, if that is not the kind of thing asked for."""
    for words, ask, wrong in questions(cell)[:1]:
        watching = load(student, sent_watch)
        watching.watch()
        answer = ask(student)
        where = watching.ended()
        if why := wrong(answer):
            ended = f" The call ended in {where}." if answer is None and where else ""
            return Example(f"{words} returned {_shown(answer)}: {why}.{ended}", "", "")
    return None


def questions(cell: str) -> list[Question]:
    """Return questions about what a cell defines, of which the first shows the kind of answer."""

    def call(*args: Any) -> Callable[[Student], Any]:
        return lambda student: getattr(student, cell)(*args)

    if cell == "generate_segments":
        boards = (5, 4, 3), (4, 5, 3), (4, 4, 4)
        return [Question(f"`{cell}{one}`", call(*one), _no_list) for one in boards]
    if cell in OF_BOARDS:
        states = [after(ConnectFour(), moves) for moves in ([3], [3, 3, 2], [0, 1, 0, 1, 0, 2, 0])]
        asked = [OF_BOARDS[cell](state) for state in states]
        return [Question(f"`{cell}`", call(*one), _no_number) for one in asked]
    if cell == "find_best_move":
        ask = call(ConnectFour(), ConnectFour().initial, 1)
        return [Question(f"On the empty board `{cell}`", ask, _no_column)]
    if cell not in symptoms.KINDS:
        return []
    kind = symptoms.KINDS[cell]

    def search(one: TreeQuestion) -> Callable[[Student], Any]:
        return lambda student: kind.ask(student, one, Trace(one.game, one.state))

    first = symptoms.figure(kind)
    second = first._replace(game=TreeGame(EIGHT, 2), state=(), worth=first.worth and sum)
    words = "With MAX to move in A of figure 5.2 the search"
    wrong = _no_value_and_move if kind.by_depth else _no_move
    return [Question(words, search(one), wrong) for one in (first, second)]


def _no_list(answer: Any) -> str:
    return "" if type(answer) in (list, tuple) else "asked is a list of segments"


def _no_number(answer: Any) -> str:
    return "" if type(answer) in NUMBERS else "asked is a number"


def _no_column(answer: Any) -> str:
    return _no_move(answer, range(7))


def _no_move(answer: Any, moves: Collection[Any] = FIGURE) -> str:
    """Return what is wrong with an answer that should be one of the moves; "" if it is one."""
    if _is_one(answer, moves):
        return ""
    if type(answer) in (tuple, list) and any(_is_one(part, moves) for part in answer):
        return "asked is the move alone, without what stands beside it"
    if type(answer) is str and answer in ("B", "C", "D"):
        return "asked is the move, and this is the state that it leads to"
    if type(answer) in NUMBERS:
        return "asked is the move, and this is a number, such as a value"
    return f"asked is a move, such as {next(iter(moves))!r}"


def _no_value_and_move(answer: Any) -> str:
    """Return what is wrong with an answer that should be a value and a move, or ""."""
    asked = "asked is a pair, the value and the move"
    if type(answer) not in (tuple, list) or len(answer) != 2:
        return asked
    value, move = answer
    if _is_one(value, FIGURE) and type(move) in NUMBERS:
        return f"{asked}, in this order"
    return "" if type(value) in NUMBERS and _is_one(move, FIGURE) else asked


def _is_one(answer: Any, moves: Collection[Any]) -> bool:
    return type(answer) in (str, int) and answer in moves


def _shown(answer: Any) -> str:
    """Return an answer in a few words: its kind, and its value if that is plain and short."""
    if answer is None or type(answer) in (bool, *NUMBERS):
        return str(answer)[:SHORT]
    if isinstance(answer, Proxy):
        return "an object of a class"
    is_pair = type(answer) is tuple and len(answer) == 2
    kind = "the pair" if is_pair else WORDS.get(type(answer).__name__, "something else")
    is_plain = type(answer) is str or (
        type(answer) in (tuple, list, dict)
        and all(type(part) in (str, bool, type(None), *NUMBERS) for part in answer)
    )
    text = repr(answer) if is_plain else ""
    return f"{kind} {text}" if 0 < len(text) <= SHORT else kind


# --- the smallest example --------------------------------------------------------------------


def counterexample(student: Student, cell: str) -> Example | None:
    """Return the smallest position that a search gets wrong, else a tree searched wrongly.

    Of the rules it is the first answer that is wrong in some short games.
    """
    if cell == "TicTacToe":
        return first_difference(student)
    if cell in FUNCTIONS:
        return _wrong_number(student, cell)
    if cell not in PLAYERS:
        return None
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


def first_difference(student: Student) -> Example | None:
    """Play short games by the student's rules, and return the first answer that is wrong."""
    for size, seed in itertools.product(RULES, range(GAMES)):
        theirs, right = student.TicTacToe(*size), rules.TicTacToe(*size)
        mine, yours, when = right.initial, theirs.initial, "At the beginning"
        chance, changed = random.Random(f"{size} {seed}"), False
        while True:
            found = "`result` has changed the state that it was given" if changed else ""
            if found := found or _first_wrong(theirs, yours, right, mine):
                h, v, k = size
                rows = [[mine.board.get((row, n), ".") for n in range(v)] for row in range(h)]
                picture = " / ".join(map(" ".join, rows))
                return Example(f"{when} with k = {k} ({picture}): {found}.", "", "")
            if right.terminal_test(mine):
                break
            move = chance.choice(mine.moves)
            when = f"After {mine.to_move}'s move {move}"
            before, mine = yours, right.result(mine, move)
            yours, (given, _) = call_and_look(theirs.result, before, move)
            changed = given != before
    return None


def _first_wrong(theirs: Proxy, yours: Any, right: Game, mine: GameState) -> str:
    """Return which answer about a state of a student's is wrong, and the right one; "" for none."""
    if type(yours) is not GameState:
        return f"the state is {_shown(yours)}; asked is a GameState"
    over = right.terminal_test(mine)
    facts: list[tuple[str, Callable[[], Any], Any]] = [
        ("board", lambda: yours.board, mine.board),
        ("to_move", lambda: yours.to_move, mine.to_move),
        ("utility", lambda: yours.utility, mine.utility),
        ("utility(state, 'X')", lambda: theirs.utility(yours, "X"), mine.utility),
        ("utility(state, 'O')", lambda: theirs.utility(yours, "O"), -mine.utility),
        ("terminal_test(state)", lambda: bool(theirs.terminal_test(yours)), over),
        ("moves", lambda: _in_order(yours.moves), _in_order(mine.moves)),
        ("actions(state)", lambda: _in_order(theirs.actions(yours)), _in_order(mine.moves)),
    ]
    for name, answer, value in facts:
        if not (over and isinstance(value, list)) and (given := answer()) != value:
            return f"`{name}` is {_short(given)}; asked is {_short(value)}"
    return ""


def _in_order(moves: Any) -> Any:
    """Return moves sorted, if they are a list of squares; else as they are."""
    squares = type(moves) in (list, tuple) and all(type(move) is tuple for move in moves)
    return sorted(moves, key=repr) if squares else moves


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
    while after.moves:
        player, reply = after.to_move, min(oracle.best_moves(after))
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
        search = getattr(load(student, adapters), FUNCTIONS[cell])(search)
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
    whole, made = game.minimax_generates(game.initial), game.generated
    needed = game.alpha_beta_generates(game.initial) if cell == "AlphaBeta" else whole
    faults = {
        "It need not generate": [one for one in whole if one in made and one not in needed],
        "It has to generate": [one for one in whole if one in needed and one not in made],
        "It generates more than once": [one for one in whole if made.count(one) > 1],
    }
    words = [f"In {name} your search generates, in this order: {_listed(made)}."]
    words += [f"{fault}: {_listed(states)}." for fault, states in faults.items() if states]
    return _drawn(tree, made, " ".join(words)) if len(words) > 1 else None


def _wrong_depth(student: Student) -> Example | None:
    """Show a tree in which the search does not go `d` plies deep."""
    for d in (1, 2):
        tree = TreeGame(EIGHT, 2)
        game = Trace(tree)
        try:
            student.AlphaBeta(d=d, eval_fn=sum)(game, ())
        except StudentError:
            return None
        deepest = max(map(len, game.generated), default=0)
        if deepest != d:
            plies = "ply" if deepest == 1 else "plies"
            words = f"With d={d} your search goes {deepest} {plies} deep in TreeGame({EIGHT}, 2)."
            return _drawn(tree, game.generated, words)
    return None


def _drawn(tree: Game, generated: Sequence[Any], words: str) -> Example:
    """Draw a whole tree, and which of its states a search has generated."""

    def node(state: Any, visit: Visit) -> Node:
        children = [tree.result(state, move) for move in tree.actions(state)]
        mover = tree.to_move(state) if children else ""
        value = "" if children else number(tree.utility(state, "MAX"))
        below = [node(c, Visit.VISITED if c in generated else Visit.AHEAD) for c in children]
        return Node(_name(state), mover, value, below, visit)

    picture = tree_picture(node(tree.initial, Visit.VISITED))
    return Example(words, picture.text, svg(picture, "Where your search goes"))


def _listed(states: Iterable[Any]) -> str:
    return " ".join(map(_name, states)) or "nothing"


def _name(state: Any) -> str:
    """Return the name of a state in a picture; a path as one word."""
    return state if isinstance(state, str) else "".join(map(str, state)) or "()"
