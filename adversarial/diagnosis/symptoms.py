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
from adversarial.diagnosis.slips import ENDLESS, KnownMistake, SearchRecord
from adversarial.games import rules, sent_boards
from games import Fig52Game, TreeGame, state_from
from referee.model import Verdict
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.student import Student, StudentError, call_and_look, load

Fresh: TypeAlias = Callable[[], AbstractContextManager[Student]]  # starts the notebook anew

APART = {"again", "cutoff"}  # kinds of questions in which a slip may not show
NEARLY_ALL = 0.9  # of the errors
OTHER = TreeGame([3, 5, 99, 94], 2)  # a game of four leaves


def likely_mistake(fresh: Fresh, cell: str) -> KnownMistake | None:
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
    return slips.known_mistakes().get(name)


def _name(student: Student, kind: CallStyle) -> str:
    records, errors = list[SearchRecord](), list[str]()
    for question in questions.asks(kind):
        record = SearchRecord(question)
        try:
            _ask(student, kind, record)
        except StudentError as error:
            if questions.TOO_FAR in str(error):
                record.answer = ENDLESS
            elif question.kind == "letters":
                return _behind([str(error)])
            else:
                errors.append(str(error))
                continue
        records.append(record)
    if name := _no_moves(records):
        return name
    figure, *records = records
    again = any(len({*record.generated}) < len(record.generated) for record in records)
    if again and all(map(_is_proven, records)):
        return "looks_twice"
    wrong = {record.question.kind for record in records if not _is_right(kind, record)}
    if wrong - APART:
        alike = [record for record in records if record.question.kind not in APART]
        if mistake := slips.mistake_behind(alike, kind.whole):
            return mistake.name
    if errors:
        return _behind(errors)
    if figure.answer not in Fig52Game().actions("A"):
        return "wrong_kind_of_answer"
    symptoms = (name for name, one in slips.known_mistakes().items() if one.is_only_in(wrong))
    return next(symptoms, "") if wrong else _on_boards(student, kind)


def _ask(student: Student, kind: CallStyle, record: SearchRecord) -> None:
    """Let a search play a question, and record it."""
    search = kind.search(student, record.question)
    if record.question.kind == "again":
        search(OTHER, ())
    answer = search(record, record.question.state)
    is_pair = kind.by_depth and type(answer) in (tuple, list) and len(answer) == 2
    record.value, record.answer = map(_plain, answer if is_pair else (None, answer))


def _plain(answer: Any) -> Any:
    return answer if type(answer) in (int, str, float, bool, type(None)) else type(answer).__name__


def _behind(errors: Sequence[str]) -> str:
    """Return the misconception behind nearly all of the errors; "" if none is."""
    means = [
        next((one.name for one in slips.known_mistakes().values() if one.is_behind(error)), "")
        for error in errors
    ]
    ((name, count),) = Counter(means).most_common(1)
    return name if count > NEARLY_ALL * len(means) else ""


def _no_moves(records: Sequence[SearchRecord]) -> str:
    """Return the mistake if most answers are no moves, else ""."""
    ended_records = [record for record in records if record.answer != ENDLESS]
    good = [record.answer in record.game.actions(record.question.state) for record in ended_records]
    if sum(good) > len(ended_records) / 2 or not ended_records:
        return ""
    nothing = all(record.answer is None for record in ended_records)
    return "nothing_comes_back" if nothing else "wrong_kind_of_answer"


def _is_right(kind: CallStyle, record: SearchRecord) -> bool:
    """Return whether a search has answered rightly, and generated what it must and nothing else."""
    states, (_, _, state, depth, *_) = {*record.generated}, record.question
    if not kind.whole:
        allowed_states = {*record.alpha_beta_generates(state, depth, record.worth)}
        return _is_proven(record) and states <= allowed_states
    below = record.minimax_generates(state, depth)
    whole = {child for child in below if not record.game.terminal_test(child[:-1])}
    return _is_proven(record) and states == whole


def _is_proven(trace: SearchRecord) -> bool:
    """Return whether the states that a search has generated prove its answer."""
    _, _, state, depth, *_ = trace.question
    bounds = FinishedSearch(trace, state, depth, trace.worth, trace.generated).bounds()
    best = max(low for low, _ in bounds.values())
    return trace.answer in bounds and is_best(bounds, trace.answer) and trace.value in (None, best)


def _on_boards(student: Student, kind: CallStyle) -> str:
    """Return the symptom of a search on a board: a changed state, an error; "" if there is none."""
    if kind.by_depth:
        return ""
    state = state_from("X . . / . . O / . X O")
    search = getattr(student, kind.name)() if kind.player else getattr(student, kind.name)
    turn = 1 if kind.player else -1  # a function takes the state first
    name = "one_game_only"
    with contextlib.suppress(StudentError):
        move, after = call_and_look(search, *(rules.TicTacToe(), state)[::turn])
        if after[::turn][1] != state:
            return "changes_the_state"
        boards, tables = load(student, sent_boards), rules.tables(3, 3, 3)
        search(*(boards.SentBoard(*tables), state)[::turn])
        name = "needs_a_list"
        if search(*(boards.LazySentBoard(*tables), state)[::turn]) == move:
            name = ""
    return name
