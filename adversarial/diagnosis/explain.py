"""Explain a failed search or function: the likely misconception, and the smallest example of it.

`symptoms` names the misconception of a search. `counterexample` finds the position with the
fewest free squares that the search gets wrong, among those that no hidden check draws.
"""

import contextlib
import functools
import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeAlias

import msgspec

import handout.canvas.search
from adversarial.diagnosis import questions, symptoms
from adversarial.games import rules, sent_boards
from adversarial.solvers.tictactoe import Oracle, shown
from games import GameState
from handout import adapters, first_wrong, recorded
from handout.canvas.boards import Board
from handout.canvas.drawing import Node, svg, tree_picture
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
RULES = (3, 3, 3), (2, 5, 3), (4, 4, 4), (5, 4, 3), (3, 3, 2)
GAMES = 12  # at random on each of these boards
MOST_CHARACTERS = 8_000  # of a tree that is searched wrongly
# What `first_wrong.smallest` returns: a tree, and what is wrong in it.
Wrong: TypeAlias = tuple[Node, Annotated[str, msgspec.Meta(max_length=400)]]


def explain(_assignment: str, cell: str, student: Callable[[], Any]) -> Explanation | None:
    """Explain a failed cell; `student` gives a fresh `Student` as a context manager.

    None for a cell that has no explanations, or if there is nothing to show.
    """
    if cell not in questions.KINDS and cell != "TicTacToe":
        return None
    misconception = example = None
    with contextlib.suppress(StudentError, Stopped):
        if cell in questions.KINDS and (mistake := symptoms.likely_mistake(student, cell)):
            texts = (mistake.words[key] for key in ("like", "area", "rule", "try"))
            misconception = Misconception(mistake.name, *texts)
    with contextlib.suppress(StudentError, Stopped):
        example = left_behind(student, cell)
    if example is None:
        with contextlib.suppress(StudentError, Stopped), student() as fresh_student:
            example = counterexample(fresh_student, cell)
    return Explanation(cell, misconception, example) if misconception or example else None


def left_behind(fresh: symptoms.Fresh, cell: str) -> Example | None:
    """Name what calls change, if the order of the calls changes their answers."""
    answers, names = list[dict[int, str]](), set[str]()
    for order in 1, -1:
        with fresh() as student:
            module = load(student, recorded)
            before, texts = module.kept(), dict[int, str]()
            for number, ask in [*enumerate(_calls(student, cell))][::order]:
                try:
                    texts[number] = _short(ask())
                except StudentError as error:
                    texts[number] = str(error)
            answers.append(texts)
            names |= {name for name, new in module.kept().items() if new != before.get(name)}
    some = ", ".join(sorted(names)[:3])
    sentence = f"Calls change {some}, and the next call finds what is left there."
    return Example(sentence, "", "") if names and answers[0] != answers[1] else None


def _calls(student: Student, cell: str) -> list[Callable[[], Any]]:
    """Return some calls of what a cell defines."""
    if cell == "TicTacToe":
        return [functools.partial(_first_utilities, student, size) for size in RULES]
    kind = questions.KINDS[cell]
    trees = questions.asks(kind)[:30]
    return [functools.partial(kind.search(student, one), one.game, one.state) for one in trees]


def _first_utilities(student: Student, size: Sequence[int]) -> list[float]:
    """Return the utilities after each of three moves on a board."""
    game, utilities = student.TicTacToe(*size), list[float]()
    state = game.initial
    for move in (0, 0), (1, 1), (0, 1):
        state = game.result(state, move)
        utilities.append(state.utility)
    return utilities


def counterexample(student: Student, cell: str) -> Example | None:
    """Return the smallest position that a search gets wrong, else a tree searched wrongly.

    Of the rules it is the first answer that is wrong in some short games.
    """
    if cell == "TicTacToe":
        return _wrong_rules(student)
    board = _wrong_board(student, cell) if cell in PLAYERS else None
    return board or _wrong_number(student, cell)


# --- boards ------------------------------------------------------------------------------------


def _wrong_board(student: Student, cell: str) -> Example | None:
    oracle, free = Oracle(), range(2, SHOWN_FREE[cell] + 1)
    states = [state for state in oracle.open_states() if shown(state) and len(state.moves) in free]
    states.sort(key=lambda state: len(state.moves))
    game = load(student, sent_boards).SentBoard(*rules.tables(3, 3, 3))
    player: Proxy = getattr(student, cell)(**PLAYERS[cell])
    with contextlib.suppress(StudentError):
        for state, move in zip(
            states, ask_each(player, [(game, state) for state in states]), strict=True
        ):
            if type(move) is not tuple or move not in [*oracle.best_moves(state)]:
                return _wrong_move(oracle, state, move)
    return None


def _wrong_move(oracle: Oracle, state: GameState, move: Any) -> Example:
    """Show a position in which a move is wrong, and how the game goes on with best play."""
    values, words = oracle.values(state), {1: "wins", 0: "draws", -1: "loses"}
    sentence = f"Here {state.to_move} is to move and your player"
    worth = ", ".join(f"{square} {words[value]}" for square, value in sorted(values.items()))
    follows = f"Each move with best play: {worth}."
    if type(move) is tuple and move in state.moves:
        best = ", ".join(map(str, sorted(oracle.best_moves(state))))
        sentence += f" plays {move}, which {words[values[move]]} for {state.to_move}; best: {best}."
        after, line = rules.TicTacToe().result(state, move), list[str]()
        while after.moves:
            reply = min(oracle.best_moves(after))
            line.append(f"{after.to_move} {reply}")
            after = rules.TicTacToe().result(after, reply)
        end = {1: "X has won", -1: "O has won", 0: "it is a draw"}[int(after.utility)]
        follows += f" After {state.to_move} {', '.join([str(move), *line])} {end}."
    else:
        sentence += f" returned {_short(move)}, which is no legal move."
    picture = Board(3, 3, state.board).picture()
    return Example(sentence, picture.text, svg(picture, f"{state.to_move} to move"), follows)


def _short(answer: Any) -> str:
    """Return what a student's code returned, as it is written and not too long."""
    text = "an object" if isinstance(answer, Proxy) else repr(answer)
    return text if len(text) <= 60 else f"{text[:60]} ..."


def _wrong_rules(student: Student) -> Example | None:
    """Play short games by the student's rules, and return the first answer that is wrong."""
    for size, seed in itertools.product(RULES, range(GAMES)):
        game, right_game = student.TicTacToe(*size), rules.TicTacToe(*size)
        right, state, when = right_game.initial, game.initial, "At the beginning"
        chance = random.Random(f"{size} {seed}")
        while not (fault := _first_wrong(game, state, right)) and right.moves:
            move = chance.choice(right.moves)
            when = f"After {right.to_move}'s move {move}"
            before, right = state, right_game.result(right, move)
            state, (after, _) = call_and_look(game.result, before, move)
            if after != before:
                fault = "`result` has changed the state that it was given"
                break
        if fault:
            h, v, k = size
            rows = [" ".join(right.board.get((row, n), ".") for n in range(v)) for row in range(h)]
            return Example(f"{when} with k = {k} ({' / '.join(rows)}): {fault}.", "", "")
    return None


def _first_wrong(game: Proxy, state: Any, right: GameState) -> str:
    """Return which answer about a state of a student's is wrong, and the right one; "" for none."""
    if type(state) is not GameState:
        return f"the state is {_short(state)}; asked is a GameState"
    facts: list[tuple[str, Callable[[], Any], Any]] = [
        ("board", lambda: state.board, right.board),
        ("to_move", lambda: state.to_move, right.to_move),
        ("utility", lambda: state.utility, right.utility),
        ("utility(state, 'X')", lambda: game.utility(state, "X"), right.utility),
        ("utility(state, 'O')", lambda: game.utility(state, "O"), -right.utility),
        ("terminal_test(state)", lambda: bool(game.terminal_test(state)), not right.moves),
    ]
    if right.moves:
        moves = sorted(right.moves)
        facts.append(("moves", lambda: _in_order(state.moves), moves))
        facts.append(("actions(state)", lambda: _in_order(game.actions(state)), moves))
    for name, ask, value in facts:
        if (answer := ask()) != value:
            return f"`{name}` is {_short(answer)}; asked is {_short(value)}"
    return ""


def _in_order(moves: Any) -> Any:
    return sorted(moves, key=repr) if type(moves) in (list, tuple) else moves


# --- trees -------------------------------------------------------------------------------------


def _wrong_number(student: Student, cell: str) -> Example | None:
    """Show the first wrong number of a search, on the smallest tree that has one.

    The search is recorded in the student's process: the result is shown, and trusted for nothing.
    """
    search, kind = getattr(student, cell), questions.KINDS[cell]
    if kind.player:
        search = search(**PLAYERS[cell])
    else:
        adapter = "by_depth" if kind.by_depth else "by_state"
        search = getattr(load(student, adapters), adapter)(search)
    watch = load(student, handout.canvas.search).watch
    return wrong_number(load(student, first_wrong).smallest(watch, search))


def wrong_number(answer: Any) -> Example | None:
    """Show a result of `first_wrong.smallest`; None if it has not its form and size.

    The student's process can send anything.
    """
    try:
        tree, why = msgspec.convert(answer, Wrong)
        if len(repr(answer)) > MOST_CHARACTERS:
            return None
        picture = tree_picture(tree)
        if not (why + picture.text).replace("\n", "").isprintable():
            return None
    except (msgspec.ValidationError, RecursionError):
        return None
    return Example(why, picture.text, svg(picture, "The first wrong number"))
