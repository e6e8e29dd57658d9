"""Name the misconception behind a failed search: by a slip that explains it, else by a symptom.

A search is asked the questions of `questions`, each with a new player, and its calls to the game
are recorded. Where no slip explains the records, errors are looked up, and where all answers are
right, it is asked on a board. Without a symptom there is no name: none is better than a wrong one.
"""

import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeAlias

from adversarial.checks.pruning import FinishedSearch, is_best
from adversarial.diagnosis import questions, slips
from adversarial.diagnosis.questions import KINDS, CallStyle
from adversarial.diagnosis.slips import ENDLESS, KnownMistake, Observed
from adversarial.games import rules, sent_boards
from games import Fig52Game, TreeGame, state_from
from referee.model import Verdict
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.student import Student, StudentError, call_and_look, load

Fresh: TypeAlias = Callable[[], AbstractContextManager[Student]]  # starts the notebook anew

APART = {"again", "cutoff"}  # kinds of questions in which a slip may not show
NEARLY_ALL = 0.9  # of the errors
OTHER = TreeGame([3, 5, 99, 94], 2)  # a game of four leaves


def named(fresh: Fresh, cell: str) -> KnownMistake | None:
    """Return the likely misconception behind a search that fails, or None if none is likely.

    `fresh` starts the student's notebook anew.
    """
    try:
        with fresh() as student:
            name = _name(student, KINDS[cell])
    except Stopped as stop:
        endless = stop.verdict in (Verdict.TIMEOUT, Verdict.WORK_LIMIT)
        name = "goes_nowhere" if endless else ""
    except StudentError:  # its message is enough, or its cause unknown
        name = ""
    return slips.known().get(name)


def _name(student: Student, kind: CallStyle) -> str:
    asked, errors = list[Observed](), list[str]()
    for question in questions.asks(kind):
        one = Observed(question)
        try:
            _ask(student, kind, one)
        except StudentError as error:
            if questions.TOO_FAR in str(error):
                one.answer = ENDLESS
            elif question.kind == "letters":
                return _behind([str(error)])
            else:
                errors.append(str(error))
                continue
        asked.append(one)
    if found := _no_moves(asked):
        return found
    figure, *asked = asked
    again = any(len({*one.generated}) < len(one.generated) for one in asked)
    if again and all(map(_is_proven, asked)):
        return "looks_twice"
    wrong = {one.question.kind for one in asked if not _is_right(kind, one)}
    if wrong - APART:
        alike = [one for one in asked if one.question.kind not in APART]
        if explained := slips.explaining(alike, kind.whole):
            return explained.name
    if errors:
        return _behind(errors)
    if figure.answer not in Fig52Game().actions("A"):
        return "wrong_kind_of_answer"
    symptoms = (name for name, one in slips.known().items() if one.is_only_in(wrong))
    return next(symptoms, "") if wrong else _on_boards(student, kind)


def _ask(student: Student, kind: CallStyle, one: Observed) -> None:
    """Let a search play a question, and record it."""
    search = kind.search(student, one.question)
    if one.question.kind == "again":
        search(OTHER, ())
    answer = search(one, one.question.state)
    is_pair = kind.by_depth and type(answer) in (tuple, list) and len(answer) == 2
    one.value, one.answer = map(_plain, answer if is_pair else (None, answer))


def _plain(answer: Any) -> Any:
    return answer if type(answer) in (int, str, float, bool, type(None)) else type(answer).__name__


def _behind(errors: Sequence[str]) -> str:
    """Return the misconception behind nearly all of the errors; "" if none is."""
    means = [
        next((one.name for one in slips.known().values() if one.is_behind(error)), "")
        for error in errors
    ]
    ((name, count),) = Counter(means).most_common(1)
    return name if count > NEARLY_ALL * len(means) else ""


def _no_moves(asked: Sequence[Observed]) -> str:
    """Return the mistake if most answers are no moves, else ""."""
    ended = [one for one in asked if one.answer != ENDLESS]
    good = [one.answer in one.game.actions(one.question.state) for one in ended]
    if sum(good) > len(ended) / 2 or not ended:
        return ""
    nothing = all(one.answer is None for one in ended)
    return "nothing_comes_back" if nothing else "wrong_kind_of_answer"


def _is_right(kind: CallStyle, one: Observed) -> bool:
    """Return whether a search has answered rightly, and generated what it must and nothing else."""
    generated, (_, _, state, depth, *_) = {*one.generated}, one.question
    if not kind.whole:
        needed = {*one.alpha_beta_generates(state, depth, one.worth)}
        return _is_proven(one) and generated <= needed
    below = one.minimax_generates(state, depth)
    whole = {child for child in below if not one.game.terminal_test(child[:-1])}
    return _is_proven(one) and generated == whole


def _is_proven(one: Observed) -> bool:
    """Return whether the states that a search has generated prove its answer."""
    _, _, state, depth, *_ = one.question
    bounds = FinishedSearch(one, state, depth, one.worth, one.generated).bounds()
    best = max(low for low, _ in bounds.values())
    return one.answer in bounds and is_best(bounds, one.answer) and one.value in (None, best)


def _on_boards(student: Student, kind: CallStyle) -> str:
    """Return the symptom of a search on a board: a changed state, an error; "" if there is none."""
    if kind.by_depth:
        return ""
    state = state_from("X . . / . . O / . X O")
    search = getattr(student, kind.name)() if kind.player else getattr(student, kind.name)
    turn = 1 if kind.player else -1  # a function takes the state first
    found = "one_game_only"
    with contextlib.suppress(StudentError):
        move, after = call_and_look(search, *(rules.TicTacToe(), state)[::turn])
        if after[::turn][1] != state:
            return "changes_the_state"
        boards, tables = load(student, sent_boards), rules.tables(3, 3, 3)
        search(*(boards.SentBoard(*tables), state)[::turn])
        found = "needs_a_list"
        if search(*(boards.LazySentBoard(*tables), state)[::turn]) == move:
            found = ""
    return found
