"""Name the misconception behind a failed search: by a slip that explains it, else by a symptom.

A search is asked the questions of `questions`, each with a new player, and its calls to the game
are recorded. Where no slip explains the records, errors are looked up, and where all answers are
right, a few things are asked outside of the trees. Without a symptom there is no name: none is
better than a wrong one.
"""

import contextlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, TypeAlias

from adversarial.checks import pruning
from adversarial.checks.trees import corridors
from adversarial.diagnosis import questions, slips
from adversarial.diagnosis.questions import TreeQuestion
from adversarial.diagnosis.slips import KnownMistake, Observed
from adversarial.games import rules, sent_boards
from adversarial.games.recorded import LastFirst, Trace, key_of
from games import Fig52Game, NestedTree, State, state_from
from referee.model import Verdict
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.student import (
    MissingNameError,
    Student,
    StudentError,
    call_and_look,
    load,
)

Fresh: TypeAlias = Callable[[], AbstractContextManager[Student]]  # starts the notebook anew

ERRORS = {  # by misconception: what the message of its error matches
    "game_is_not_kept": r"'NoneType' object has no attribute '"
    r"(actions|result|terminal_test|to_move|utility)'",
    "nothing_for_a_value": r"NoneType",
    "values_unfinished_games": r"the game is not over|only a terminal state has a utility",
    "pair_for_a_number": r"between instances of .*'(tuple|list)'|bad operand .*'tuple'",
    "number_for_a_pair": r"'(int|float)' object is not (subscriptable|iterable)|cannot unpack",
    "names_of_players": r"^'[XO]' does not play this game",
    "wrong_arguments": r"positional arg|unexpected keyword|multiple values|not one that the game|"
    r"does not play this game|between instances of .*'str'|'str' object is not callable|"
    r"object has no attribute '(actions|result|terminal_test)'",
    "asks_for_moves_at_the_end": r"(?<!choose from an )empty (sequence|list)|argument is empty",
    "goes_nowhere": r"recursion",
    "needs_a_list": r"'generator'|'list_iterator'",
    "ends_by_an_exception": r"StopIteration",
    "one_game_only": r"'(tuple|str|GameState)' object has no attribute|indices must be",
}
UNKNOWN_TO_SELF = re.compile(r"'(MiniMax|AlphaBeta)' object has no attribute")
ONLY_IN = {  # by misconception: the kind of questions that it gets wrong, and others that it may
    "infinity_is_a_number": ("large", {"lost", "ends", "limited"}),
    "no_move_when_lost": ("lost", set[str]()),
    "order_of_moves": ("order", set[str]()),
    "early_ends_are_nothing": ("uneven", {"ends"}),
    "goes_on_after_the_end": ("early", set[str]()),
}
SIGN_OR_PLAYER: Mapping[str, Mapping[bool | None, str]] = {
    # The right name, if utilities are asked only for the player at the root, never, or for both.
    "estimate_turned": dict.fromkeys((False, None), "estimate_for_the_side_to_move"),
    "estimate_for_the_side_to_move": {True: "estimate_turned"},
    "leaf_for_the_side_to_move": {True: "leaf_negated"},
}
VALUES = {
    ("max_value", "A", "MAX"): 3, ("min_value", "B", "MAX"): 3, ("min_value", "D", "MAX"): 2,
    ("max_value", "B", "MIN"): -3, ("max_value", "D", "MIN"): -2, ("min_value", "A", "MIN"): -3,
    ("max_value", "B2", "MAX"): 12, ("min_value", "C1", "MIN"): -2,
}  # fmt: skip
LONG = 30  # plies, more than any of the trees has
NEARLY_ALL = 0.9  # of the errors
DEEP = [[[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [[[9, 10], [11, 12]], [[13, 14], [15, 16]]]]


class CallStyle(NamedTuple):
    """How a search is called, and what is asked of it."""

    ask: Callable[[Student, TreeQuestion, Trace], Any]
    limited: bool = False  # it uses an estimate
    whole: bool = False  # it must not prune
    player: str = ""  # the name of the class, for a player
    function: str = ""  # the name of the function, otherwise
    by_depth: bool = False  # it takes a depth, and returns a value and a move


class Suspect(NamedTuple):
    """A student whose search fails, the kind of search, and its answers so far."""

    student: Student
    kind: CallStyle
    asked: list[Observed]


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
    for question in asks(kind):
        trace = Trace(question.game, question.state)
        try:
            asked.append(_asked(student, kind, question, trace))
        except StudentError as error:
            if isinstance(error, NameError | MissingNameError) or UNKNOWN_TO_SELF.match(str(error)):
                raise  # it names what is missing
            if questions.TOO_FAR in str(error):
                asked.append(Observed(question, trace, None, endless=True))
            elif question.kind == "letters":
                return _behind([str(error)])
            else:
                errors.append(str(error))
    figure, *asked = asked
    if found := _no_moves(kind, [figure, *asked]):
        return found
    wrong = [one for one in asked if not _is_right(kind, one)]
    if _only_twice(kind, asked):
        return "looks_twice"
    if wrong and (explained := slips.explaining(asked, kind.whole)):
        by_names = _is_right_with_x_and_o(Suspect(student, kind, wrong))
        return "names_of_players" if by_names else _by_player_asked_for(asked, explained.name)
    if any(one.value != one.value for one in asked if one.question.kind == "drawn"):
        return "draw_is_no_number"
    if errors:
        return _behind(errors)
    if figure.answer not in Fig52Game().actions("A"):
        return "value_for_a_move"
    if wrong:
        kinds = {one.question.kind for one in wrong}
        return next(
            (
                name
                for name, (must, may) in ONLY_IN.items()
                if must in kinds and kinds <= {must} | may
            ),
            "",
        )
    return _outside_the_trees(Suspect(student, kind, asked))


def asks(kind: CallStyle) -> Iterator[TreeQuestion]:
    """Return the questions for this kind of search; the first one is about figure 5.2."""
    yield figure(kind)
    plies = LONG if kind.limited else math.inf
    for question in questions.questions():
        if question.kind == "early" and not kind.player:
            continue  # the notebook's other games list no moves at the end
        if question.kind == "lost" and not kind.by_depth:  # no utility is infinite
            question = question._replace(game=NestedTree([[-1] * 2] * 2))
        if kind.by_depth and question.kind == "order":
            game, worth = LastFirst([1, 0, -1] * 9, 3), questions.estimate
            yield question._replace(game=game, depth=2, worth=worth, for_good=True)
        else:
            yield questions.estimated(question) if kind.by_depth else question._replace(depth=plies)
    if not kind.by_depth:
        yield TreeQuestion("long", corridors([1, 3, 2], 11), depth=plies)
    if kind.limited:
        limited = questions.limited()
        yield from map(questions.won_or_lost, limited) if kind.by_depth else limited


def figure(kind: CallStyle) -> TreeQuestion:
    """Return a question about figure 5.2."""
    if kind.by_depth:  # depth 2 would reach final states, worth infinity here
        return TreeQuestion("letters", Fig52Game(), "A", 1, "ABCD".index, for_good=True)
    return TreeQuestion("letters", Fig52Game(), "A")


def _asked(
    student: Student, kind: CallStyle, question: TreeQuestion, trace: Trace | None = None
) -> Observed:
    """Ask a question, and record the search."""
    trace = trace or Trace(question.game, question.state)
    answer = kind.ask(student, question, trace)
    is_pair = kind.by_depth and type(answer) in (tuple, list) and len(answer) == 2
    value, move = answer if is_pair else (None, answer)
    return Observed(question, trace, _plain(move), _plain(value))


def _plain(answer: Any) -> Any:
    return answer if type(answer) in (int, str, float, bool, type(None)) else type(answer).__name__


def _behind(errors: Sequence[str]) -> str:
    """Return the misconception behind nearly all of the errors; "" if none is."""
    means = [
        next((name for name, words in ERRORS.items() if re.search(words, error)), "")
        for error in errors
    ]
    ((name, count),) = Counter(means).most_common(1)
    return name if count > NEARLY_ALL * len(means) else ""


def _no_moves(kind: CallStyle, asked: Sequence[Observed]) -> str:
    """Return the mistake if most answers are no moves, else ""."""
    ended = [one for one in asked if not one.endless]
    good = [one.answer in one.question.game.actions(one.question.state) for one in ended]
    if sum(good) > len(ended) / 2 or not ended:
        return ""
    if all(one.answer is None for one in ended):
        return "nothing_for_a_move"
    alone = kind.by_depth and all(one.value is None for one in ended)
    return "number_for_a_pair" if alone else "value_for_a_move"


def _is_right(kind: CallStyle, one: Observed) -> bool:
    """Return whether what a search has generated proves its answer, and is what it must be."""
    return _is_proven(kind, one) and (
        {*one.trace.generated} == one.whole() if kind.whole else _holds(pruning.expect_pruned, one)
    )


def _is_proven(kind: CallStyle, one: Observed) -> bool:
    """Return whether the states that a search has generated prove its answer."""
    return (
        not one.endless
        and _holds(pruning.expect_proven_move, one, one.answer)
        and (not kind.by_depth or _holds(pruning.expect_proven_value, one, one.value))
    )


def _holds(expect: Callable[..., None], one: Observed, *answer: Any) -> bool:
    question, generated = one.question, frozenset(one.trace.generated)
    search = pruning.FinishedSearch(one.trace, question.state, question.depth, one.worth, generated)
    with contextlib.suppress(AssertionError):
        expect(search, *answer)
        return True
    return False


def _only_twice(kind: CallStyle, asked: Sequence[Observed]) -> bool:
    """Return whether all answers are right, and states are generated more than once."""
    again = any(len({*one.trace.generated}) < len(one.trace.generated) for one in asked)
    return again and all(_is_proven(kind, one) for one in asked)


def _by_player_asked_for(asked: Sequence[Observed], name: str) -> str:
    """Return the right one of misconceptions alike but for the player whose utility is asked."""
    valued = [(one, player) for one in asked for _, player in one.trace.valued]
    over = (one.terminal_test(state) for one in asked for state in one.trace.generated)
    if name == "one_move_for_all" and not valued and any(over):
        return "leaf_is_nothing"
    who = {player == one.mover for one, player in valued}
    own = who.pop() if len(who) == 1 else None
    return SIGN_OR_PLAYER.get(name, {}).get(own, name)


# --- symptoms outside of the trees -------------------------------------------------------------


def _outside_the_trees(suspect: Suspect) -> str:
    """Return the symptom of a search that is right in all trees; "" if there is none."""
    for look, if_broken in OUTSIDE:
        try:
            found = look(suspect)
        except StudentError:
            found = if_broken
        if found:
            return found
    return ""


def _names(suspect: Suspect) -> str:
    """Look at trees whose players are called X and O."""
    return "" if _is_right_with_x_and_o(suspect) else "names_of_players"


def _is_right_with_x_and_o(suspect: Suspect) -> bool:
    """Return whether a search is right in half of the trees asked about, with X and O to move."""
    student, kind, asked = suspect
    trees = [one.question for one in asked if type(one.question.game) is NestedTree][1::2]
    with contextlib.suppress(StudentError):
        return bool(trees) and all(
            _is_right(kind, _asked(student, kind, questions.renamed(one))) for one in trees
        )
    return False


def _player(suspect: Suspect) -> str:
    """Look at the player that is defined in the same cell as its search."""
    if suspect.kind.function != "alpha_beta_search":
        return ""
    move = _plain(suspect.student.alpha_beta_player(Trace(Fig52Game()), "A"))
    return "" if move == "a1" else "nothing_for_a_move" if move is None else "wrong_arguments"


def _numbers(suspect: Suspect) -> str:
    """Look at the values that `max_value` and `min_value` return for states of figure 5.2."""
    student, kind, _ = suspect
    if not kind.player:
        return ""
    wrong = set()
    for (method, state, player), value in VALUES.items():
        window = (-math.inf, math.inf, 0) if kind.limited else ()
        searching = getattr(student, kind.player)(game=Trace(Fig52Game(), state))
        answer = _plain(getattr(searching, method)(state, player, *window))
        if answer in ("tuple", "list"):
            return "pair_for_a_number"
        wrong |= {player} if answer != value else set()
    return "ignores_who_it_is" if wrong == {"MIN"} else ""


def _limits(suspect: Suspect) -> str:
    """Look whether a given `cutoff_test` is used, and a given estimate with it."""
    if suspect.kind.player != "AlphaBeta":
        return ""
    for d, plies in ((1, 2), (3, 1)):
        game, told = Trace(NestedTree(DEEP)), list[Any]()

        def stops(state: State, depth: int, plies: int = plies, told: list[Any] = told) -> bool:
            told.append(depth)
            return type(state) is tuple and len(state) >= plies

        searching = suspect.student.AlphaBeta(d, cutoff_test=stops, eval_fn=questions.estimate)
        move = searching(game, ())
        if any(type(depth) is not int for depth in told):
            return "wrong_arguments"
        if max(map(len, game.generated), default=0) != plies or told[:1] not in ([0], [1]):
            return "cutoff_test_is_not_used"
        question = TreeQuestion("limited", NestedTree(DEEP), (), plies, questions.estimate)
        if not _is_right(suspect.kind, Observed(question, game, _plain(move))):
            return "estimate_not_asked"
    return ""


def _end(suspect: Suspect) -> str:
    """Look whether the search ends when `cutoff_test` is never true."""
    if suspect.kind.player != "AlphaBeta":
        return ""
    game = Trace(NestedTree(DEEP))
    move = suspect.student.AlphaBeta(1, cutoff_test=lambda state, depth: False)(game, ())
    return "" if move == 1 and len(game.generated) > 2 else "trusts_cutoff_test"


def _kept(suspect: Suspect) -> str:
    """Look at one player that is asked all questions in turn."""
    student, kind, asked = suspect
    if not kind.player:
        return ""
    player = getattr(student, kind.player)(**({"d": LONG} if kind.limited else {}))
    for question in (one.question for one in asked if one.question.worth is None):
        trace = Trace(question.game, question.state)
        again = Observed(question, trace, _plain(player(trace, question.state)))
        if not _is_right(kind, again):
            return "something_is_kept"
    return ""


def _boards(suspect: Suspect) -> str:
    """Look at a search on a board: changed states, remembered states, moves from a generator."""
    student, kind, _ = suspect
    if kind.by_depth:
        return ""
    state = state_from("X . . / . . O / . X O")
    game = Trace(rules.TicTacToe(), state)
    search = getattr(student, kind.player)() if kind.player else getattr(student, kind.function)
    turn = 1 if kind.player else -1  # a function takes the state first
    move, after = call_and_look(search, *(game, state)[::turn])
    if after[::turn][1] != state:
        return "changes_the_state"
    whole = list(map(key_of, game.minimax_generates(state)))
    seen = list(map(key_of, game.generated))
    if kind.whole and len(seen) < len(whole) and {*seen} == {*whole}:
        return "remembers_states"
    boards = load(student, sent_boards)
    search(*(boards.SentBoard(*rules.tables(3, 3, 3)), state)[::turn])
    with contextlib.suppress(StudentError):
        if search(*(boards.LazySentBoard(*rules.tables(3, 3, 3)), state)[::turn]) == move:
            return ""
    return "needs_a_list"


def _at_the_root(suspect: Suspect) -> str:
    """Look at a search of depth 0."""
    student, kind, _ = suspect
    if not kind.by_depth:
        return ""
    question = figure(kind)._replace(depth=0)
    one = _asked(student, kind, question)
    return "" if (one.value, one.answer) == (0, None) else "root_is_not_asked"


OUTSIDE: tuple[tuple[Callable[[Suspect], str], str], ...] = (  # and the name if it breaks
    (_names, "names_of_players"), (_player, "wrong_arguments"), (_numbers, ""), (_limits, ""),
    (_end, "trusts_cutoff_test"), (_kept, ""), (_boards, "one_game_only"),
    (_at_the_root, "root_is_not_asked"),
)  # fmt: skip


# --- how each kind of search is called ---------------------------------------------------------


def _ask_minimax(student: Student, question: TreeQuestion, trace: Trace) -> Any:
    return student.MiniMax()(trace, question.state)


def _ask_alphabeta(student: Student, question: TreeQuestion, trace: Trace) -> Any:
    if question.worth is None:
        return student.AlphaBeta(d=LONG)(trace, question.state)
    worth, sign = question.worth, _sign(question.game.to_move(question.state))
    searching = student.AlphaBeta(d=question.depth, eval_fn=lambda state: sign * worth(state))
    return searching(trace, question.state)


def _by_state(function: str, whole: bool) -> CallStyle:
    def ask(student: Student, question: TreeQuestion, trace: Trace) -> Any:
        return getattr(student, function)(question.state, trace)

    return CallStyle(ask, whole=whole, function=function)


def _by_depth(function: str, whole: bool) -> CallStyle:
    def ask(student: Student, question: TreeQuestion, trace: Trace) -> Any:
        worth = question.worth or questions.estimate

        def estimate(state: State, player: str) -> float:
            trace.valued.append((state, player))
            return _sign(player) * worth(state)

        return getattr(student, function)(trace, question.state, question.depth, estimate)

    return CallStyle(ask, limited=True, whole=whole, function=function, by_depth=True)


def _sign(player: str) -> int:
    return 1 if player in ("MAX", "X") else -1


KINDS = {
    "MiniMax": CallStyle(_ask_minimax, whole=True, player="MiniMax"),
    "AlphaBeta": CallStyle(_ask_alphabeta, limited=True, player="AlphaBeta"),
    "minmax_decision": _by_state("minmax_decision", whole=True),
    "alpha_beta_search": _by_state("alpha_beta_search", whole=False),
    "minimax": _by_depth("minimax", whole=True),
    "alphabeta": _by_depth("alphabeta", whole=False),
}
