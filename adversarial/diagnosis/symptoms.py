"""Name the misconception behind a failed search: by a slip that explains it, else by a symptom.

A search is asked the questions of `slips`, each with a new player, and its calls to the game are
recorded. Where no slip explains the records, symptoms are tested one after the other. Without a
symptom there is no name: none is better than a wrong one.
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
from adversarial.diagnosis import slips
from adversarial.diagnosis.slips import KnownMistake, Observed, TreeQuestion
from adversarial.games import rules, sent_boards
from adversarial.games.recorded import LastFirst, Trace
from adversarial.solvers.tictactoe import Oracle, shown
from games import Fig52Game, Game, NestedTree, State, state_from
from referee.model import Verdict
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.student import (
    MissingNameError,
    Student,
    StudentError,
    ask_each,
    call_and_look,
    load,
)

Fresh: TypeAlias = Callable[[], AbstractContextManager[Student]]  # starts the notebook anew

NO_CUTS = {"max_cuts": "never", "min_cuts": "never"}
FOR_GOOD = {"leaf": "for good"}
ERRORS = {  # by misconception: what the message of its error matches
    "game_is_not_kept": r"'NoneType' object has no attribute '"
    r"(actions|result|terminal_test|to_move|utility)'",
    "nothing_for_a_value": r"NoneType",
    "values_unfinished_games": r"the game is not over|only a terminal state has a utility",
    "compares_more_than_values": r"between instances of '(GameState|dict)'",
    "pair_for_a_number": r"between instances of .*'(tuple|list)'|bad operand .*'tuple'",
    "number_for_a_pair": r"'(int|float)' object is not (subscriptable|iterable)|cannot unpack",
    "wrong_arguments": r"positional arg|unexpected keyword|multiple values|not one that the game|"
    r"object has no attribute '(actions|result|terminal_test)'",
    "asks_for_moves_at_the_end": r"(?<!choose from an )empty (sequence|list)|argument is empty",
    "goes_nowhere": r"recursion",
    "needs_a_list": r"'generator'|'list_iterator'",
    "ends_by_an_exception": r"StopIteration",
    "one_game_only": r"'(tuple|str|GameState)' object has no attribute|indices must be",
}
UNKNOWN_TO_SELF = re.compile(r"'(MiniMax|AlphaBeta)' object has no attribute")
ONLY_IN = {  # by misconception: the only kinds of questions that it gets wrong
    "infinity_is_a_number": {"large"},
    "rounds": {"decimals"},
    "starts_at_a_number": {"below 0", "above 0"},
    "one_side_only": {"from MIN"},
    "no_move_when_lost": {"lost"},
    "order_of_moves": {"order"},
    "early_ends_are_nothing": {"uneven", "ends"},
    "goes_on_after_the_end": {"early"},
    "limit_is_missed": {"limited", "ends", "drawn", "no estimate"},
}
VALUES = {
    ("max_value", "A", "MAX"): 3, ("min_value", "B", "MAX"): 3, ("min_value", "D", "MAX"): 2,
    ("max_value", "B", "MIN"): -3, ("max_value", "D", "MIN"): -2, ("min_value", "A", "MIN"): -3,
    ("max_value", "B2", "MAX"): 12, ("min_value", "C1", "MIN"): -2,
}  # fmt: skip
MARKS = range(1917, 1927)  # so many that a search with random moves is wrong once
LONG = 30  # plies, more than any of the trees has
FEW_PLIES = 2  # all that a search sees of deeper trees
NEARLY_ALL = 0.9  # of the answers, or of the errors
AGAIN = 4  # times that an answer must repeat, to be no chance
AFRESH = 6  # wrong answers that a new process is asked for again
BY_NAMES = {"both_help", "both_hinder", "wants_the_least"}  # may be due to the names of players
SIGN_OR_PLAYER: Mapping[str, Mapping[bool | None, str]] = {
    # The right name, if utilities are asked only for the player at the root, never, or for both.
    "estimate_turned": dict.fromkeys((False, None), "estimate_for_the_side_to_move"),
    "estimate_for_the_side_to_move": {True: "estimate_turned"},
    "leaf_for_the_side_to_move": {True: "leaf_negated"},
}
DEEP = [[[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [[[9, 10], [11, 12]], [[13, 14], [15, 16]]]]


class CallStyle(NamedTuple):
    """How a search is called, and how a right one of its kind differs from `slips.RIGHT`."""

    ask: Callable[[Student, TreeQuestion, Trace], Any]
    usual: Mapping[str, Any]
    limited: bool = False  # it uses an estimate
    whole: bool = False  # it must not prune
    player: str = ""  # the name of the class, for a player
    function: str = ""  # the name of the function, otherwise
    by_depth: bool = False  # it takes a depth, and returns a value and a move

    @property
    def right(self) -> slips.Slip:
        """Return the options of a right search of this kind."""
        return {**slips.RIGHT, **self.usual}


class Suspect(NamedTuple):
    """A student whose search fails, the kind of search, and its answers so far."""

    student: Student
    kind: CallStyle
    asked: list[Observed]


class Broken(NamedTuple):
    """A question that ended in an error, the message, and the record of the search."""

    question: TreeQuestion
    error: str
    trace: Trace


class Meeting(Game):
    """A game of four plies, each taking one of six numbers: many paths lead to each state."""

    initial: tuple[int, ...] = ()

    def actions(self, state: tuple[int, ...]) -> list[int]:
        """Return the free numbers; none after four plies."""
        return [n for n in range(6) if n not in state] if len(state) < 4 else []

    def result(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        """Return the numbers taken after the move; ValueError for an illegal move."""
        if move not in self.actions(state):
            raise ValueError(f"{move!r} is no move in {state!r}")
        return tuple(sorted((*state, move)))

    def utility(self, state: tuple[int, ...], player: str) -> float:
        """Return a utility that depends on each number and is hard to guess."""
        return slips.estimate(state) if player == "MAX" else -slips.estimate(state)

    def to_move(self, state: tuple[int, ...]) -> str:
        """Return the player whose turn it is."""
        return "MAX" if len(state) % 2 == 0 else "MIN"


class Apart(NestedTree):
    """A tree that shares no state with another tree: each path begins with a mark, twice.

    Twice, so that even lengths stay even.
    """

    def __init__(self, tree: Any, mark: int) -> None:
        """Begin all paths with `mark`."""
        super().__init__(tree)
        self.initial = (mark, mark)

    def to_move(self, state: tuple[int, ...]) -> str:
        """Return the player whose turn it is."""
        return super().to_move(state[2:])

    def at(self, state: tuple[int, ...]) -> Any:
        """Return the subtree or leaf at the end of a path."""
        return super().at(state[2:])


class Renamed(Trace):
    """A record of a tree whose players are called X and O, in place of MAX and MIN."""

    def utility(self, state: State, player: Any) -> float:
        """Return the utility of a leaf for X or O."""
        return super().utility(state, self.inside(player))

    def to_move(self, state: State) -> str:
        """Return the player whose turn it is."""
        return "X" if super().to_move(state) == "MAX" else "O"

    @staticmethod
    def inside(player: Any) -> Any:
        """Swap a player's two names, X and MAX or O and MIN; return any other as it is."""
        return {"X": "MAX", "O": "MIN", "MAX": "X", "MIN": "O"}.get(player, player)


def named(fresh: Fresh, cell: str) -> list[KnownMistake]:
    """Return the likely misconceptions behind a search that fails; [] if none is likely.

    `fresh` starts the student's notebook anew.
    """
    kind, asked = KINDS[cell], list[Observed]()
    try:
        with fresh() as student:
            names = _names(student, kind, asked)
        if names != ["first_best_stays"] and _keeps_something(fresh, kind, asked):
            names = ["something_is_kept"]
    except Stopped as stop:
        endless = stop.verdict in (Verdict.TIMEOUT, Verdict.WORK_LIMIT)
        names = ["goes_nowhere"] if endless else []
    except StudentError:  # its message is enough, or its cause unknown
        names = []
    return [slips.known()[name] for name in names]


def _keeps_something(fresh: Fresh, kind: CallStyle, asked: list[Observed]) -> bool:
    """Return whether the wrong answers are right in a new process: the search keeps something."""
    wrong = [one for one in asked if not _is_right(kind, one)]
    if kind.by_depth and wrong[:1] == asked[:1]:
        return False
    again = [
        one.question for one in wrong if kind.by_depth or type(one.question.game) is NestedTree
    ]
    for question in again[:AFRESH]:
        with fresh() as student, contextlib.suppress(StudentError):
            questions = [question] if kind.by_depth else [_apart(question, mark) for mark in MARKS]
            if all(_is_right(kind, _asked(student, kind, one)) for one in questions):
                continue
        return False
    return bool(again)


def _apart(question: TreeQuestion, mark: int) -> TreeQuestion:
    """Return the question about an equal tree with states that were never seen."""
    game, worth = Apart(question.game.tree, mark), question.worth  # type: ignore[attr-defined]
    told = worth and (lambda state: worth(state[len(game.initial) :]))
    return question._replace(game=game, state=(*game.initial, *question.state), worth=told)


def _asked(
    student: Student, kind: CallStyle, question: TreeQuestion, trace: Trace | None = None
) -> Observed:
    """Ask a question, and record the search."""
    trace = trace or Trace(question.game, question.state)
    answer = kind.ask(student, question, trace)
    value, move = answer if kind.by_depth and _is_pair(answer) else (None, answer)
    return Observed(question, trace, _plain(move), _plain(value))


def _broken(student: Student, kind: CallStyle, asked: list[Observed]) -> list[Broken]:
    """Ask all questions; add the answers to `asked`, and return those that ended in an error."""
    broken = list[Broken]()
    for question in _questions(kind):
        trace = Trace(question.game, question.state)
        try:
            asked.append(_asked(student, kind, question, trace))
        except StudentError as error:
            if _names_the_missing(error):
                raise
            broken.append(Broken(question, str(error), trace))
    return broken


def _names(student: Student, kind: CallStyle, asked: list[Observed]) -> list[str]:
    broken = _broken(student, kind, asked)
    too_far = [one for one in broken if slips.TOO_FAR in one.error]
    endless = [Observed(one.question, one.trace, None, endless=True) for one in too_far]
    players = _players([*asked, *broken])
    if any(type(player) is not str for player in players):
        return ["wrong_arguments"]
    if not {*players} <= {"MAX", "MIN"}:
        return _by_other_names(student, kind)
    numbers = (one.value is None and one.seen.answer is not None for one in asked)
    if kind.by_depth and not broken and all(numbers):
        return ["number_for_a_pair"]
    most = 1 if len(broken) > len(endless) or _takes_first_moves(asked) else 2
    right = not endless and all(_is_right(kind, one) for one in asked)
    answers = [*asked, *endless]
    explained = [] if right else slips.explaining(answers, kind.usual, kind.whole, most)
    if broken and not explained:
        return _behind_errors(student, kind, broken, astray=not right)
    if any(one.value != one.value and _worth(kind, one) == 0 for one in asked):
        return ["draw_is_no_number"]
    if found := _no_moves(kind, asked):
        return [found]
    if explained is None and (both := _two(kind, asked)):
        return both
    suspect = Suspect(student, kind, asked)
    names = [_by_player_asked_for(asked, one.name) for one in explained or []]
    if (explained is None or BY_NAMES & {*names}) and _goes_by_names(suspect):
        return ["names_of_players"]
    if names:
        return names
    symptom = _in_the_trees(suspect) if explained is None else _outside_the_trees(suspect)
    return [symptom] if symptom else []


def _takes_first_moves(asked: Sequence[Observed]) -> bool:
    """Return whether nearly all answers are the first move: pairs of slips often give that."""
    first = [one for one in asked if one.root.listed[:1] == [one.seen.answer]]
    return len(first) > NEARLY_ALL * len(asked)


def _is_right(kind: CallStyle, one: Observed) -> bool:
    """Return whether a search does as right ones do, or its states prove its answer."""
    return slips.fits([one], kind.right) or (not kind.whole and _is_proven(kind, one))


def _is_proven(kind: CallStyle, one: Observed) -> bool:
    """Return whether the generated states prove the answer, and alpha-beta needs them all."""
    question, game = one.question, one.trace.game

    def worth(state: State, player: str) -> float:
        if not game.terminal_test(state):
            return _sign(player) * (question.worth(state) if question.worth else 0)
        return slips.CHANGES[kind.right["leaf"]](game.utility(state, player))

    generated = one.trace.generated
    search = pruning.FinishedSearch(one.trace, question.state, question.depth, worth, generated)
    try:
        pruning.expect_proven_move(search, one.seen.answer)
        if kind.by_depth:
            pruning.expect_proven_value(search, one.value)
        pruning.expect_pruned(search)
    except AssertionError:
        return False
    return True


def _questions(kind: CallStyle) -> Iterator[TreeQuestion]:
    plies = LONG if kind.limited else math.inf
    for question in slips.questions():
        if question.kind == "early" and not kind.player:
            continue  # the notebook's other games list no moves at the end
        if question.kind == "lost" and not kind.by_depth:  # no utility is infinite
            question = question._replace(game=NestedTree([[-1] * 2] * 2))
        if kind.by_depth and question.kind == "order":
            game = LastFirst([1, 0, -1] * 9, 3)
            yield question._replace(game=game, depth=2, worth=slips.estimate)
        else:
            yield slips.estimated(question) if kind.by_depth else question._replace(depth=plies)
    if not kind.by_depth:
        yield TreeQuestion("long", corridors([1, 3, 2], 11), depth=plies)
    if kind.limited:
        yield from map(slips.won_or_lost, slips.limited()) if kind.by_depth else slips.limited()


def _by_player_asked_for(asked: Sequence[Observed], name: str) -> str:
    """Return the right one of misconceptions alike but for the player whose utility is asked."""
    over = (one.trace.game.terminal_test(state) for one in asked for state in one.seen.generated)
    if name == "one_move_for_all" and not _players(asked) and any(over):
        return "leaf_is_nothing"
    who = {player == one.root.mover for one in asked for _, player in one.trace.valued}
    own = who.pop() if len(who) == 1 else None
    return SIGN_OR_PLAYER.get(name, {}).get(own, name)


def _goes_by_names(suspect: Suspect) -> bool:
    """Return whether a search does otherwise when the players have other names."""
    student, kind, asked = suspect
    for one in [one for one in asked if type(one.question.game) is NestedTree][:6]:
        for _ in range(AGAIN):
            if _asked(student, kind, one.question).seen != one.seen:  # by chance
                return False
            renamed = Renamed(one.question.game, one.question.state)
            with contextlib.suppress(StudentError):  # the game does not know the player
                again = _asked(student, kind, one.question, renamed)
                if (again.seen, again.value) == (one.seen, one.value):
                    break
        else:
            return True
    return False


def _by_other_names(student: Student, kind: CallStyle) -> list[str]:
    """Return the mistakes with X and O as players, of a search that asks for unknown players."""
    asked = list[Observed]()
    for question in _questions(kind):
        with contextlib.suppress(StudentError):
            trace = Renamed(question.game, question.state)
            asked.append(_asked(student, kind, question, trace))
    explained = []
    if {*_players(asked)} <= {"MAX", "MIN"}:
        explained = slips.explaining(asked, kind.usual, kind.whole, 1) or []
    return [_by_player_asked_for(asked, one.name) for one in explained] or ["names_of_players"]


def _players(asked: Sequence[Observed | Broken]) -> list[Any]:
    """Return the players whose utilities were asked for, whether or not the game knows them."""
    return [player for one in asked for _, player in one.trace.valued]


def _two(kind: CallStyle, asked: list[Observed]) -> list[str]:
    """Return a slip and a mistake with numbers, which together explain all; [] if none do."""
    for name in ("infinity_is_a_number", "rounds"):
        others = [one for one in asked if one.question.kind not in ONLY_IN[name]]
        found = slips.explaining(others, kind.usual, kind.whole, 1)
        if found and len(others) < len(asked):
            return [found[0].name, name]
    return []


def _only_in(kinds: set[str]) -> list[str]:
    """Return the mistake of a search that is wrong in these kinds of questions only."""
    return [name for name, some in ONLY_IN.items() if kinds <= some][:1]


def _names_the_missing(error: StudentError) -> bool:
    """Return whether an error names what is missing: a variable, or an attribute of a player."""
    return isinstance(error, NameError | MissingNameError) or bool(
        UNKNOWN_TO_SELF.match(str(error))
    )


def _behind_an_error(errors: Sequence[str]) -> list[str]:
    """Return the misconception behind nearly all of the errors; [] if none is."""
    means = [
        next((name for name, words in ERRORS.items() if re.search(words, error)), "")
        for error in errors
    ]
    ((name, count),) = Counter(means).most_common(1)
    return [name] if name and count > NEARLY_ALL * len(means) else []


def _behind_errors(
    student: Student, kind: CallStyle, broken: Sequence[Broken], astray: bool
) -> list[str]:
    """Return the misconception behind errors, if the records of the searches agree with it.

    `astray` says whether the search is also wrong without an error.
    """
    found = _behind_an_error([one.error for one in broken])
    if found == ["pair_for_a_number"] and _takes_states_for_numbers(student, kind):
        return ["wrong_arguments"]
    ends = (any(map(one.trace.game.terminal_test, one.trace.generated)) for one in broken)
    if found == ["asks_for_moves_at_the_end"] and not all(ends):
        return []
    return found or ([] if astray else _only_in({one.question.kind for one in broken}))


def _takes_states_for_numbers(student: Student, kind: CallStyle) -> bool:
    """Return whether errors name the type of states, which are texts in figure 5.2."""
    try:
        _asked(student, kind, figure(kind))
    except StudentError as error:
        return "'str'" in str(error)
    return False


def _no_moves(kind: CallStyle, asked: list[Observed]) -> str:
    """Return the mistake if most answers are no moves, else ""."""
    good = [one.seen.answer in one.question.game.actions(one.question.state) for one in asked]
    if sum(good) > len(asked) / 2:
        return ""
    if all(one.seen.answer is None for one in asked):
        return "nothing_for_a_move"
    if kind.by_depth and all(_worth(kind, one) == one.value for one in asked):
        return "move_from_elsewhere"
    return "value_for_a_move"


def _in_the_trees(suspect: Suspect) -> str:
    """Return the symptom in the trees that were searched wrongly; "" if there is none."""
    _, kind, asked = suspect
    wrong = [one for one in asked if not _is_right(kind, one)]
    kinds = {one.question.kind for one in wrong}
    astray = [one for one in wrong if one.seen.answer not in _right_moves(kind, one)]
    good = not astray
    if good and _twice(suspect):
        return "looks_twice"
    false = any(one.value != _worth(kind, one) for one in asked)
    if kind.by_depth and false and any(map(_estimates_on_the_way, asked)):
        return "" if not kind.whole and all(map(_is_whole, asked)) else "estimates_on_the_way"
    won = all(one.seen.answer is None and one.value == math.inf for one in wrong)
    if won and kind.by_depth and not kind.whole:
        return "cut_forgets_the_value"
    if only := _only_in(kinds):
        return (_letters(suspect) if kinds == {"order"} else "") or only[0]
    most = [(one, slips.Play(one, kind.right, slips.Style(strict=True)).seen) for one in wrong]
    if good:
        return _of_extent(suspect, most)
    if found := _where_it_ends(kind, asked):
        return found
    if all(one.seen.answer is None for one in wrong):
        return "no_move_when_lost"
    moves = all(one.seen.answer is not None for one in asked)
    if kind.by_depth and moves and all(_worth(kind, one) == one.value for one in asked):
        return "move_from_elsewhere"
    alike = all(seen and seen.generated == one.seen.generated for one, seen in most)
    knows = not kind.player or (alike and _knows_values(suspect, wrong[:3]))
    if alike and kind.whole and knows and not kind.by_depth and all(map(_was_best, asked)):
        return "first_best_stays"
    if alike and moves and kind.whole and kind.player and knows:
        return "choice_is_wrong"
    if alike and moves and kind.whole and not kind.by_depth and _is_from_below(suspect, wrong):
        return "move_from_elsewhere"
    least = [(one, slips.Play(one, kind.right).seen) for one in astray]
    if not kind.whole and all(seen and seen.generated - one.seen.generated for one, seen in least):
        return "too_much"
    return _twice(suspect) if alike else ""


def _where_it_ends(kind: CallStyle, asked: Sequence[Observed]) -> str:
    """Return the mistake if final states, or those with one side to move, are never valued.

    Also if a search generates nothing, or minimax never sees more than a few plies.
    """
    if not any(one.trace.generated for one in asked):
        return "moves_of_its_own"
    if not kind.by_depth and not any(one.trace.valued for one in asked):
        return "leaf_is_nothing"
    over, valued = set(), set()
    for one in asked:
        game, mover = one.question.game, one.root.mover
        finished = filter(game.terminal_test, one.seen.generated)
        over |= {game.to_move(state) == mover for state in finished}
        valued |= {game.to_move(state) == mover for state, _ in one.trace.valued}
    if over - valued:
        return "asks_for_moves_at_the_end"
    few = kind.whole and all(_plies(one) <= FEW_PLIES for one in asked)
    return "few_plies_only" if few else ""


def _estimates_on_the_way(one: Observed) -> bool:
    """Return whether a state was estimated although its children were generated."""
    parents = {state[:-1] for state in one.seen.generated}
    return any(state in parents for state, _ in one.trace.valued)


def _is_whole(one: Observed) -> bool:
    """Return whether a search has cut nothing, so that this may be all that is wrong."""
    whole = one.trace.minimax_generates(one.question.state, one.question.depth)
    return len(one.seen.generated) == len(whole)


def _outside_the_trees(suspect: Suspect) -> str:
    """Return the symptom outside of the trees, all of which were searched right."""
    for find, in_error in ELSEWHERE:
        try:
            found = find(suspect)
        except StudentError as error:
            if _names_the_missing(error):
                raise
            found = next(iter(_behind_an_error([str(error)])), in_error)
        if found:
            return found
    return ""


def _of_extent(suspect: Suspect, most: list[tuple[Observed, slips.Seen | None]]) -> str:
    """Return the mistake of a search with right moves that generates too much or too little."""
    if suspect.kind.whole:
        return "minimax_prunes"
    if all(map(_in_families, suspect.asked)):
        return "all_children_first"
    sides = set()
    for one, seen in most:
        root = one.question.game.to_move(one.question.state)
        for state in one.seen.generated - (seen.generated if seen else frozenset()):
            sides.add(one.question.game.to_move(state[:-1]) == root)
    if not sides:
        return "too_much"
    return "too_little" if len(sides) > 1 else f"too_little_at_{'max' if sides.pop() else 'min'}"


def _in_families(one: Observed) -> bool:
    """Return whether, of each state's children, all were generated or none."""
    game, generated = one.question.game, one.seen.generated
    parents = {state[:-1] for state in generated if state}
    families = {game.result(parent, move) for parent in parents for move in game.actions(parent)}
    return families <= generated


# --- symptoms outside of the trees -------------------------------------------------------------


def _players_names(suspect: Suspect) -> str:
    return "names_of_players" if _goes_by_names(suspect) else ""


def _twice(suspect: Suspect) -> str:
    again = any(len(one.seen.generated) < len(one.trace.generated) for one in suspect.asked)
    return "looks_twice" if again else ""


def _values(suspect: Suspect) -> str:
    """Look at the values that `max_value` and `min_value` return for states of figure 5.2."""
    student, kind, _ = suspect
    if not kind.player:
        return ""
    said: dict[tuple[str, str], tuple[Any, float]] = {}
    for (method, state, player), value in VALUES.items():
        window = (-math.inf, math.inf, 0) if kind.limited else ()
        game = Trace(Fig52Game(), state)
        searching = getattr(student, kind.player)(game=game)
        answer = _plain(getattr(searching, method)(state, player, *window))
        if answer in ("tuple", "list"):
            return "pair_for_a_number"
        if answer != value:
            said[state, player] = answer, value
    if not said:
        return ""
    if all(player == "MIN" for _, player in said):
        return "ignores_who_it_is"
    nothing = any(answer is None for answer, _ in said.values())
    if kind.limited and {answer for answer, _ in said.values()} == {0}:
        return "ignores_the_depth_told"
    return "nothing_for_a_value" if nothing else "values_change_on_the_way"


def _limits(suspect: Suspect) -> str:
    """Look whether a given `cutoff_test`, a given depth and a player's own `d` are used."""
    student = suspect.student
    if suspect.kind.player != "AlphaBeta":
        return ""
    own = Trace(NestedTree(DEEP))
    student.AlphaBeta(1)(own, ())  # an estimate of its own may break down
    if any(len(state) > 1 for state in own.generated):
        return "estimate_looks_further"
    for d, plies in ((1, 2), (3, 1)):
        game, told = Trace(NestedTree(DEEP)), list[Any]()

        def stops(state: State, depth: int, plies: int = plies, told: list[Any] = told) -> bool:
            told.append(depth)
            return type(state) is tuple and len(state) >= plies

        move = student.AlphaBeta(d, cutoff_test=stops, eval_fn=slips.estimate)(game, ())
        if any(type(depth) is not int for depth in told):
            return "wrong_arguments"
        if max(map(len, game.generated), default=0) != plies or told[:1] not in ([0], [1]):
            return "cutoff_test_is_not_used"
        question = TreeQuestion("limited", NestedTree(DEEP), (), plies, slips.estimate)
        if not _is_right(suspect.kind, Observed(question, game, _plain(move))):
            return "estimate_not_asked"
    game = Trace(Fig52Game(), "B")
    told = student.AlphaBeta(1, game, eval_fn=lambda state: 7)
    value = told.min_value("B", "MAX", -math.inf, math.inf, 1)
    if value != 7:
        return "ignores_the_depth_told" if value == 3 else "values_change_on_the_way"
    first, game = student.AlphaBeta(1), Trace(NestedTree(DEEP))
    student.AlphaBeta(9)
    first(game, ())
    return "players_share" if any(len(state) > 1 for state in game.generated) else ""


def _knows_values(suspect: Suspect, asked: list[Observed]) -> bool:
    """Return whether `max_value` is right for states in which the player's move is wrong."""
    for one in asked:
        game, state = Trace(one.question.game, one.question.state), one.question.state
        player = getattr(suspect.student, suspect.kind.player)(game=game)
        try:
            value = _plain(player.max_value(state, game.to_move(state)))
        except StudentError:
            return False
        if value != _worth(suspect.kind, one):
            return False
    return True


def _windows(suspect: Suspect) -> str:
    """Look whether a player's value in an open window is right after a search in a narrow one."""
    if suspect.kind.player != "AlphaBeta":
        return ""
    game = Trace(NestedTree([[3, 12, 1], 6]), (0,))
    player = suspect.student.AlphaBeta(9, game)
    player.min_value((0,), "MAX", 5, math.inf, 1)
    value = player.min_value((0,), "MAX", -math.inf, math.inf, 1)
    return "" if value == 1 else "bounds_are_remembered"


def _at_the_root(suspect: Suspect) -> str:
    """Look at a search of depth 0."""
    student, kind, _ = suspect
    if not kind.by_depth:
        return ""
    one = _asked(student, kind, TreeQuestion("limited", NestedTree(DEEP), (), 0, slips.estimate))
    return "" if (one.value, one.seen.answer) == (slips.estimate(()), None) else "root_is_not_asked"


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
    if kind.whole and len(game.generated) < len(game.minimax_generates(state)):
        return "remembers_states"
    boards = load(student, sent_boards)
    search(*(boards.SentBoard(*rules.tables(3, 3, 3)), state)[::turn])
    try:
        same = search(*(boards.LazySentBoard(*rules.tables(3, 3, 3)), state)[::turn]) == move
    except StudentError:
        same = False
    return "" if same else "needs_a_list"


def _value_told(suspect: Suspect) -> str:
    """Look at the value that is returned with the move."""
    kind = suspect.kind
    told = [one for one in suspect.asked if kind.by_depth]
    wrong = [one for one in told if _worth(kind, one) != one.value]
    if not wrong:
        return ""
    for name, known in slips.known().items():
        for slip in known.slips:
            how = {**kind.right, **slip}
            if all(slips.Play(one, how).value == one.value for one in [*wrong, *told]):
                return name
    if {_worth(kind, one) for one in wrong} <= {math.inf, -math.inf}:
        return "win_is_a_number"
    unknown = [one for one in wrong if one.value not in _values_below(one)]
    return "values_change_on_the_way" if len(unknown) > len(wrong) / 2 else "value_of_another_move"


def _values_below(one: Observed) -> set[Any]:
    """Return the values of all valued states for both players, and 0, None and infinities."""
    worth = one.question.worth or slips.estimate
    found = {worth(state) for state, _ in one.trace.valued}
    return {0, None, math.inf, -math.inf, *found, *(-value for value in found)}


def _plies(one: Observed) -> int:
    """Return how many plies the search went below the root."""
    return max(map(len, one.trace.generated), default=0) - len(one.question.state)


def _worth(kind: CallStyle, one: Observed) -> float:
    """Return the value of the root for a right search."""
    return slips.Play(one, kind.right).value


def _right_moves(kind: CallStyle, one: Observed) -> set[Any]:
    """Return the moves that right searches choose, over all styles."""
    played = (slips.Play(one, kind.right, style).seen for style in slips.STYLES)
    return {seen.answer for seen in played if seen}


def _is_from_below(suspect: Suspect, wrong: Sequence[Observed]) -> bool:
    """Return whether the answers seem to be moves of states below the root."""
    if not suspect.kind.player and all(_plies(one) > FEW_PLIES for one in wrong):
        return True
    return len(wrong) > slips.FEW and all(one.seen.answer in _moves_below(one) for one in wrong)


def _moves_below(one: Observed) -> set[Any]:
    """Return the moves of best play from the root, without the first."""
    state, moves = one.question.state, list[Any]()
    while not one.trace.game.terminal_test(state):
        values = one.trace.values(state)
        moves.append(max(values, key=values.__getitem__))
        state = one.trace.game.result(state, moves[-1])
    return set(moves[1:])


def _was_best(one: Observed) -> bool:
    """Return whether the answer is better than each move before it."""
    best = -math.inf
    for move, value in one.trace.values(one.question.state).items():
        if value > best and move == one.seen.answer:
            return True
        best = max(best, value)
    return False


def _letters(suspect: Suspect) -> str:
    """Look at a tree whose moves are texts."""
    student, kind, _ = suspect
    answer = _asked(student, kind, figure(kind)).seen.answer
    return "" if answer in ("a1", "a2", "a3") else "value_for_a_move"


def figure(kind: CallStyle) -> TreeQuestion:
    """Return a question about figure 5.2."""
    if kind.by_depth:  # depth 2 would reach final states, worth infinity here
        return TreeQuestion("letters", Fig52Game(), "A", 1, "ABCD".index)
    return TreeQuestion("letters", Fig52Game(), "A")


def _player(suspect: Suspect) -> str:
    """Look at the player that is defined in the same cell as its search."""
    if suspect.kind.function != "alpha_beta_search":
        return ""
    try:
        move = _plain(suspect.student.alpha_beta_player(Trace(Fig52Game()), "A"))
    except StudentError as error:
        if _names_the_missing(error):
            raise
        return "wrong_arguments"
    return "" if move == "a1" else "nothing_for_a_move" if move is None else "wrong_arguments"


def _positions(suspect: Suspect) -> str:
    """Look at moves on boards of tic-tac-toe."""
    student, kind, _ = suspect
    if not kind.player:
        return ""
    oracle = Oracle()
    most = 6 if kind.limited else 5
    states = [one for one in oracle.open_states() if shown(one) and 2 <= len(one.moves) <= most]
    game = load(student, sent_boards).SentBoard(*rules.tables(3, 3, 3))
    player = getattr(student, kind.player)(**({"d": 9} if kind.limited else {}))
    moves = ask_each(player, [(game, state) for state in states])
    good = (move in oracle.best_moves(state) for state, move in zip(states, moves, strict=True))
    if all(good):
        return ""
    return "bounds_are_remembered" if _remembers(suspect) else "moves_of_its_own"


def _remembers(suspect: Suspect) -> bool:
    """Return whether a search generates too little where several paths lead to a state."""
    _, kind, _ = suspect
    one = _asked(suspect.student, kind, TreeQuestion("meeting", Meeting()))
    needed = min(len(slips.Play(one, kind.right, style).generated) for style in slips.STYLES)
    return len(one.trace.generated) < needed


ELSEWHERE: tuple[tuple[Callable[[Suspect], str], str], ...] = (  # name if it fails
    (_letters, "one_game_only"), (_players_names, ""), (_player, ""), (_twice, ""),
    (_values, "needs_a_search"), (_limits, ""), (_end, "trusts_cutoff_test"), (_kept, ""),
    (_windows, ""), (_positions, ""),
    (_boards, "one_game_only"), (_at_the_root, "root_is_not_asked"), (_value_told, ""),
)  # fmt: skip


def _is_pair(answer: Any) -> bool:
    return type(answer) in (tuple, list) and len(answer) == 2


def _plain(answer: Any) -> Any:
    return answer if type(answer) in (int, str, float, bool, type(None)) else type(answer).__name__


# --- how each kind of search is called ---------------------------------------------------------


def _ask_minimax(student: Student, question: TreeQuestion, trace: Trace) -> Any:
    return student.MiniMax()(trace, question.state)


def _ask_alphabeta(student: Student, question: TreeQuestion, trace: Trace) -> Any:
    if question.worth is None:
        return student.AlphaBeta(d=LONG)(trace, question.state)
    worth, sign = question.worth, _sign(question.game.to_move(question.state))
    searching = student.AlphaBeta(d=question.depth, eval_fn=lambda state: sign * worth(state))
    return searching(trace, question.state)


def _by_state(function: str, usual: Mapping[str, Any]) -> CallStyle:
    def ask(student: Student, question: TreeQuestion, trace: Trace) -> Any:
        return getattr(student, function)(question.state, trace)

    return CallStyle(ask, usual, whole=bool(usual), function=function)


def _by_depth(function: str, usual: Mapping[str, Any]) -> CallStyle:
    def ask(student: Student, question: TreeQuestion, trace: Trace) -> Any:
        worth = question.worth or slips.estimate

        def estimate(state: State, player: str) -> float:
            player = trace.inside(player) if isinstance(trace, Renamed) else player
            trace.valued.append((state, player))
            return _sign(player) * worth(state)

        return getattr(student, function)(trace, question.state, question.depth, estimate)

    whole = "max_cuts" in usual
    return CallStyle(ask, usual, limited=True, whole=whole, function=function, by_depth=True)


def _sign(player: str) -> int:
    return 1 if player in ("MAX", "X") else -1


KINDS = {
    "MiniMax": CallStyle(_ask_minimax, NO_CUTS, whole=True, player="MiniMax"),
    "AlphaBeta": CallStyle(
        _ask_alphabeta, {"estimate_for": "root"}, limited=True, player="AlphaBeta"
    ),
    "minmax_decision": _by_state("minmax_decision", NO_CUTS),
    "alpha_beta_search": _by_state("alpha_beta_search", {}),
    "minimax": _by_depth("minimax", {**NO_CUTS, **FOR_GOOD}),
    "alphabeta": _by_depth("alphabeta", FOR_GOOD),
}
