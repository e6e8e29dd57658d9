"""Ask whether checks see a submission's objects as they are, whatever the student's code does."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from nim import rules
from nim.rules import LazyNim, Nim, Recorded
from piles import Game, Letters, Position, Tree, infinity
from referee.judging import verdicts
from referee.sandbox.outside import meter
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.student import (
    MESSAGE_CHARACTERS,
    Proxy,
    RefusedError,
    Student,
    StudentError,
    ask_each,
    call_and_look,
    cost,
    failures,
    load,
    printable,
    printed,
)
from referee.sandbox.outside.submission import Submission

Submit = Callable[..., Submission]
Asked = Callable[..., AbstractContextManager[Student]]

CELLS = Path(__file__).parents[2] / "courses" / "cells"
FUNCTIONS = (CELLS / "functions.py").read_text("utf-8")


@pytest.fixture(scope="module")
def functions(submit: Submit) -> Iterator[Submission]:
    """Give a submission that defines FUNCTIONS, and then ERRORS."""
    with submit(FUNCTIONS, ERRORS) as submission:
        assert [run.error for run in submission.runs] == [None, None]
        yield submission


@pytest.fixture
def notebook(functions: Submission) -> Iterator[Student]:
    """Give a fresh copy of what they define."""
    with functions.student() as student:
        yield student


def exactly(value: Any, expected: Any) -> bool:
    """Return whether a value is the expected one and of exactly its type."""
    return type(value) is type(expected) and value == expected


# --- values ----------------------------------------------------------------------------------


def test_a_name_is_its_value_or_a_proxy(notebook: Student) -> None:
    """Is plain data data, and all else an object that can be called, or handed back as it is?"""
    assert exactly(notebook.results, {("X", "O"): 1, ("O", "X"): -0.0})
    box = notebook.box
    for thing in (notebook.Box, box, notebook.index, notebook.echo([box])[0]):
        assert isinstance(thing, Proxy)  # the index only resembles a number
    assert repr(notebook.Yes) == "<an object of the submission>"
    for thing in (notebook, box):
        with pytest.raises(AttributeError):
            _ = thing.__wrapped__  # of a private name nothing is asked
    same = [notebook.is_same(box, other) for other in (box, notebook.box, notebook.Box())]
    assert same == [True, True, False]
    assert notebook.kind([box]) == "list"


ARRIVING = {  # an expression of the student's, and what its value is here
    "(n for n in [1, 2, 3])": [1, 2, 3],
    "range(1, 4)": [1, 2, 3],
    "map(int, '123')": [1, 2, 3],
    "{1: 0, 2: 0, 3: 0}.keys()": [1, 2, 3],
    "{0: 1, 1: 2, 2: 3}.values()": [1, 2, 3],
    "itertools.chain([1], [2, 3])": [1, 2, 3],
    "__import__('collections').deque([1, 2, 3])": [1, 2, 3],
    "zip([1], [2])": [(1, 2)],
    "{1: 2}.items()": [(1, 2)],
    "True": True,
    "Count(3)": 3,
    "Grade(0.5)": 0.5,
    "Fraction(1, 4)": Fraction(1, 4),
    "[Grade('inf')]": [infinity],
    "(Count(1), Count(2))": (1, 2),
    "10 ** 100": 10**100,
    "down(2500)": 2500,
    "[numpy.bool_(True), (numpy.bool_(0),)]": [True, (False,)],
}


def test_lazy_items_arrive_as_a_list_and_numbers_as_plain_ones(asked: Asked) -> None:
    """May a function return any iterable, and a number of a subclass, or of numpy's?"""
    source = "import itertools, numpy\ndef value(source): return eval(source)"
    down = "def down(n): return 0 if n == 0 else 1 + down(n - 1)"
    with asked(FUNCTIONS, source, down) as student:
        arrived = {source: student.value(source) for source in ARRIVING}
    assert repr(arrived) == repr(ARRIVING)  # which tells exact types apart


# --- opaque objects --------------------------------------------------------------------------


def test_an_always_equal_object_equals_nothing_in_the_referee(notebook: Student) -> None:
    """Is an object never compared, whatever its `__eq__` would say?"""
    yes = notebook.yes
    for expected in ((0, 0), 0, True, None, "a1", [], Position("X", 0, {}, []), float("nan")):
        assert (yes == expected) is False
        assert (yes != expected) is True
        assert yes not in [expected]
    assert (yes,) != ((0, 0),)


# --- names that are not there ----------------------------------------------------------------


COLON, TABS = "class Game\n    pass", "class Search:\n    def f(self):\n        x = 1\n\ty = 2"


@pytest.mark.parametrize(
    ("sources", "name", "said", "unsaid"),
    [
        ([COLON, TABS], "Search", "Cell 2 failed: TabError", "cell 1"),
        ([TABS, COLON], "Search", "Cell 1 failed: TabError", "cell 2"),
        ([COLON, "a = b = 1 / 0"], "b", "Cell 2 failed: Zero", "Syntax"),
        ([COLON, "def a(): pass\nclas Two(object):\n  pass"], "Two", "Cell 2 failed: ", "cell 1"),
        (["low, high = 1, undefined", COLON], "high", "Cell 1 failed: ", "Syntax"),
        ([TABS, "kept = 1\ndel kept"], "kept", "`kept` is not defined", "cell 1"),
        ([TABS, "print(1)"], "never", "No cell defines it.", "TabError"),
        ([TABS, "raise NotImplementedError"], "mine", "yet: NotImplementedError", "TabError"),
        ([TABS, "from no_such import *"], "theirs", "no_such", "TabError"),
        ([COLON, "if True:\n    inner = 1 / 0"], "inner", "ZeroDivisionError", "Syntax"),
        ([COLON, "x = dict(late=1 / 0)"], "late", "No cell defines it.", "Zero"),
        ([TABS, "import os, no_such as other"], "other", "No module", "TabError"),
        ([TABS, "for f in [Search]:\n    pass"], "Search", "Cell 1 failed: ", "Cell 2"),
        ([TABS, "with open(Search) as f:\n    pass"], "Search", "Cell 1 failed: ", "Cell 2"),
        (["print(f)\nraise ValueError", "def f(x)\n  pass"], "f", "Cell 2 failed: ", "ValueError"),
        (
            ["table: dict[str, list[int]] = {}\n1 / 0"],
            "table",
            "Cell 1 failed: Zero",
            "not defined",
        ),
        (["table = {}\n1 / 0", "table = {1: 2}"], "table", "", "failed"),
        (["def done():\n    return 1\n1 / 0"], "done", "", "failed"),
    ],
)
def test_the_cell_that_fails_is_the_one_that_should_define_the_name(
    asked: Asked, sources: list[str], name: str, said: str, unsaid: str
) -> None:
    """When cells have failed, is the right one told, and no other?

    A value is unfinished if its last cell has failed, and a function is not.
    """
    error: BaseException = AssertionError()
    with asked(*sources) as student:
        try:
            getattr(student, name)
        except StudentError as missing:
            error = missing
        told = "\n".join([*failures(student, error), str(error)])
    assert isinstance(error, StudentError) == (name not in ("table", "done"))
    assert said in told
    assert unsaid not in told


# --- functions of the check ---------------------------------------------------------------------


def picky(number: int) -> int:
    raise ValueError("ask about an even number")


GIVEN = {"key": {}.__getitem__, "kind": lambda a: a + "", "own": lambda a: [][a], "two": max}
GIVEN |= {"words": picky}


@pytest.mark.parametrize("name", GIVEN)
def test_an_error_in_a_function_of_the_check_is_not_the_students(asked: Asked, name: str) -> None:
    """Is it told what the function was asked, and not what broke inside it?"""
    with asked("def ask(f):\n    return f(5)") as student:
        for who, ask in (
            ("A function of this check", lambda: student.ask(GIVEN[name])),
            ("`f`", lambda: student.ask(f=GIVEN[name])),
        ):
            with pytest.raises(RefusedError) as caught:
                ask()
            told = f"{who} was called with 1 argument, and has no answer to that."
            assert str(caught.value) == ("ask about an even number" if name == "words" else told)
            assert caught.value.where == ("cell 1, line 2, in ask: return f(5)",)


# --- errors ----------------------------------------------------------------------------------

ERRORS = """three = 3
def helper(move):
    return {}[move]
def outer(move):
    return helper(move)
class NotYours(LookupError): pass
def own(): raise NotYours("mine")
def leaves(): raise SystemExit(3)
def speechless(): raise type("Silent", (Exception,), {"__str__": lambda self: 1 / 0})()
def strange(): raise ValueError("broken \\ud800 text")
class A:
    def f(x): return x
def g(a, b): return a + h()
def h(c): return c
max = 3
def hidden(x): return max(x, 2)
def not_hidden(list): return three(list)
def down(n): return down(n - 1)
large, huge, deep = ["x" * 1000] * 5000, 1 << 5000, []
for _ in range(100): deep = [deep]
"""
FAILURES: dict[str, tuple[Callable[[Student], Any], str, str, str]] = {
    # what is asked, the class of the error, what it says, and the last line of the student's
    "a line": (lambda s: s.outer(1), "KeyError", "1", "cell 2, line 3, in helper: return {}[move]"),
    "own class": (lambda s: s.own(), "NotYours", "^mine$", "cell 2, line 7, in own: "),
    "exit": (lambda s: s.leaves(), "SystemExit", "3", "cell 2, line 8"),
    "no text": (lambda s: s.speechless(), "Silent", "cannot be made", "cell 2, line 9"),
    "odd text": (lambda s: s.strange(), "ValueError", "broken . text", "cell 2, line 10"),
    "no name": (lambda s: s.AlphaBeta, "NameError", r"^`AlphaBeta` is not defined\.$", ""),
    "no attribute": (lambda s: s.box.close, "NameError", "`close` is not defined", ""),
    "in a property": (lambda s: s.box.weight, "AttributeError", "no attribute 'mass'", "cell 1"),
    "of a property": (lambda s: s.box.colour, "ValueError", "no colour", "cell 1"),
    "without end": (lambda s: s.endless(), "EndlessError", "more than 10,000 items", ""),
    "half way": (lambda s: s.fails_half_way(), "KeyError", "half way", "cell 1"),
    "one of many": (lambda s: ask_each(s.outer, [(1,), (2,)]), "KeyError", "^1$", "cell 2, line 3"),
    "too large": (lambda s: s.large, "ValueError", "the answer cannot be sent", ""),
    "too huge": (lambda s: s.huge, "ValueError", "the answer cannot be sent", ""),
    "too deep": (lambda s: s.deep, "ValueError", "the answer cannot be sent", ""),
    "hidden": (lambda s: s.hidden(1), "TypeError", "; `max` is your own value, not Python", "cell"),
    "not hidden": (lambda s: s.not_hidden([1]), "TypeError", "'int' object is not callable$", "c"),
    "recursion": (lambda s: s.down(1), "RecursionError", "maximum recursion depth", "cell 2"),
    "an illegal move": (
        lambda s: s.ask(Letters(), "result", "A", "b1"), "ValueError",
        "'b1' in state 'A' is not a legal move", "cell 1, line 16, in ask: return getattr(game, ",
    ),
    "a head": (lambda s: s.A().f(1), "TypeError", "takes 1 positional .* 2 were given", ""),
    "a short head": (lambda s: s.g(1), "TypeError", "missing 1 .* argument: 'b'", ""),
    "well called": (lambda s: s.g(1, 2), "TypeError", "missing 1 .* argument: 'c'", "cell 2"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAILURES)
def test_any_exception_is_an_error_of_the_student(notebook: Student, name: str) -> None:
    """Is it told with its class, text and the innermost line of theirs, and the next question
    answered?
    """
    ask, kind, text, where = FAILURES[name]
    with pytest.raises(StudentError, match=text) as caught:
        ask(notebook)
    assert notebook.three == 3
    assert caught.value.kinds[0] == kind
    assert caught.value.where[-1:] == () if not where else caught.value.where[-1].startswith(where)
    assert not isinstance(caught.value, RefusedError)
    said = verdicts.classify(caught.value)[1]
    assert (said == verdicts.ENDLESS) == (name == "without end")
    assert said.endswith(verdicts.HEAD) == ("head" in name)


# --- one copy for each check -----------------------------------------------------------------


def test_each_time_a_submission_begins_as_before(submit: Submit) -> None:
    """Has it the same random numbers, copies of the release's files, and nothing of another one?"""
    source = (
        "import os, random\n"
        "before, place, files = random.random(), os.getcwd(), sorted(os.listdir())\n"
        "text = open('notes.txt').read()\n"
        "for name in 'notes.txt', 'left.txt': open(name, 'w').close()\n"
        "def draw(): return random.random()"
    )
    drawn = set()
    for _ in range(2):
        with submit(source) as submission, submission.student() as student:
            assert student.files == ["notes.txt", "piles.py", "tools"]
            assert student.text == "a file of the release\n"
            drawn.add((student.before, student.draw()))
            place = Path(student.place)
        assert not place.exists()
    assert len(drawn) == 1


# --- looking on ------------------------------------------------------------------------------


def test_what_is_printed_during_a_question_can_be_read(asked: Asked) -> None:
    """Does `printed` give the output of the last question, and of no other?"""
    source = (
        "print('while the cell ran')\ndef f(x):\n    print('f', x)\n    return x\n"
        "def g(h):\n    print('before')\n    h(len)\n    print('after')"
    )
    with asked(source) as student:
        assert (student.f(1), printed(student)) == (1, "f 1\n")
        assert (student.f(2), printed(student)) == (2, "f 2\n")
        _ = student.f
        assert printed(student) == ""
        student.g(lambda length: length([1, 2]))  # which asks back in between
        assert printed(student) == "before\nafter\n"


def test_a_changed_argument_is_seen(asked: Asked, notebook: Student) -> None:
    """Does `call_and_look` show what became of the arguments, and a plain call leave them alone?"""
    source = (
        "def spoil(state, move):\n"
        "    state.piles[move] = state.to_move\n"
        "    state.moves.remove(move)\n"
        "    return state.to_move"
    )
    state = Position("X", 0, {(0, 0): "O"}, [(0, 1), (1, 1)])
    with asked(source) as student:
        answer, (seen, move) = call_and_look(student.spoil, state, (1, 1))
    assert answer == "X"
    assert exactly(seen, Position("X", 0, {(0, 0): "O", (1, 1): "X"}, [(0, 1)]))
    assert move == (1, 1)
    assert state == Position("X", 0, {(0, 0): "O"}, [(0, 1), (1, 1)])
    game = Letters()  # which stays here, as a box stays there
    _, (seen, box) = call_and_look(notebook.echo, game, notebook.box)
    assert seen is game
    assert box.thing == (1, 2)


# --- many questions at once ------------------------------------------------------------------


def test_many_questions_have_the_answers_of_as_many_single_ones(notebook: Student) -> None:
    """Is each answer there, in order, however many messages they are packed into?"""
    for count in (0, 1, 499, 500, 501, 1203):
        assert ask_each(notebook.echo, [(n,) for n in range(count)]) == list(range(count))
    state = Position("X", 0, {}, [(0, 1), (1, 1)])
    assert ask_each(notebook.squares, [(state,)]) == [state.moves], "a generator is listed"


# --- games that live in the referee ----------------------------------------------------------


def test_nonsense_in_place_of_a_state_is_an_error_of_the_student(notebook: Student) -> None:
    """Does whatever student code passes for a state get an answer, or an error of its own?"""
    games = Letters(), Tree([1, 2, 3]), Nim()
    methods = {"actions": [], "result": [[]], "utility": ["X"], "terminal_test": [], "to_move": []}
    nonsense = [
        None, [], {}, "", "A", ("A",), -1, 2**80, infinity, notebook.box, (notebook.yes,),
        Position("X", infinity, {}, []), Position(None, None, None, None),
        Position(notebook.box, notebook.box, notebook.box, notebook.box),
    ]  # fmt: skip
    for game, (method, more), state in product(games, methods.items(), nonsense):
        with contextlib.suppress(StudentError):
            notebook.ask(game, method, state, *more)


ENDLESS = """
import sys
sys.setrecursionlimit(400)
def endless(game, state): return endless(game, game.result(state, game.actions(state)[0]))
def below(frames, call, *args):
    return call(*args) if frames == 0 else below(frames - 1, call, *args)
def caught(game, frames):
    try:
        below(frames, endless, game, game.initial)
    except RecursionError:
        return game.actions("A")
"""


class Circle(Letters):
    """A game that never ends."""

    def result(self, state: str, move: str) -> str:
        """Return to where it was."""
        return "A"


def test_recursion_that_ends_amid_a_question_confuses_no_later_answer(asked: Asked) -> None:
    """Is an answer that nobody waited for no answer to a later question, however deep it was?"""
    with asked(ENDLESS, check_calls=10**6, check_cpu_seconds=30) as student:
        for frames in range(6):
            with pytest.raises(StudentError, match="maximum recursion depth exceeded"):
                student.below(frames, student.endless, Circle(), "A")
            assert student.caught(Circle(), frames) == ["a1", "a2", "a3"]


def test_game_calls_are_limited(asked: Asked) -> None:
    """Does a check end after so many calls, not one earlier, and also one that asks the same?

    What an answer tells of a state is good for one question.
    """
    source = (
        "def ask(game, n):\n    state = game.initial\n"
        "    for _ in range(n): game.actions(state)\n    return n"
    )
    with asked(source, check_calls=50) as student:
        assert student.ask(Letters(), 20) == 20
        assert student.ask(Letters(), 30) == 30
        with pytest.raises(Stopped, match="more game calls than this check allows") as caught:
            student.ask(Letters(), 1)
    assert caught.value.verdict == "work-limit"


ABOUT = """
from piles import Game
def about(game, state):
    return list(game.actions(state)), game.terminal_test(state), game.to_move(state)
def walk(game, moves):
    state, seen = game.initial, []
    for move in moves:
        seen.append(about(game, state))
        state = game.result(state, move)
    return [*seen, about(game, state), isinstance(game, Game)]
"""


WALKS: list[tuple[Game, Sequence[Any]]] = [
    (Letters(), ["a1", "b2"]),
    (Tree(range(27)), [2, 0, 1]),
    (Nim(), [(0, 1), (1, 2), (2, 3)]),
    (LazyNim(2, 2), [(0, 1), (1, 1), (0, 1)]),
    (Nim(9, 9), [(0, 3), (1, 3), (0, 2), (1, 2), (0, 4), (1, 4)]),
]


def test_what_a_game_says_of_a_state_travels_with_it(asked: Asked) -> None:
    """Is only what is recorded, a state made, a call, and all that the game says as it is here?

    And is it a game there, too?
    """
    names: dict[str, Any] = {}
    exec(ABOUT, names)  # noqa: S102
    calls = 0
    with asked(ABOUT) as student:
        for game, moves in WALKS:
            assert student.walk(Recorded(game), moves) == names["walk"](game, moves)
            calls += 1 + len(moves)
            assert cost(student).calls == calls


def test_facts_are_those_of_a_state_as_it_was_given_out(asked: Asked) -> None:
    """Is the game asked about a state that was changed, and about one of another game?"""
    source = """
def changed(game):
    state = game.result(game.initial, (0, 1))
    state.piles[0] = 7
    return game.actions(state)
def spoilt(game):
    game.actions(game.initial).clear()
    return game.actions(game.initial)
def other(one, another): return one.initial and another.actions(one.initial)
"""
    with asked(source) as student:
        with pytest.raises(ValueError, match="not one that the game has given out"):
            student.changed(Recorded(Nim()))
        assert student.spoilt(Recorded(Nim(3))) == [(0, 1), (0, 2), (0, 3)]
        with pytest.raises(ValueError, match="not one that the game has given out"):
            student.other(Recorded(Nim()), Recorded(Letters()))


def test_old_facts_are_forgotten_and_asked_for_again(asked: Asked) -> None:
    """Does a search that keeps thousands of states before it asks about them get right answers?"""
    source = """
def wide(game):
    start = game.initial
    states = [game.result(start, move) for move in game.actions(start)]
    return [game.to_move(state) for state in states]
"""
    with asked(source, check_calls=10_000, check_cpu_seconds=20) as student:
        assert student.wide(Tree(range(2000), 2000)) == ["MIN"] * 2000
        assert 1 + 2000 < cost(student).calls <= 1 + 2000 + 2000


def test_a_trusted_module_can_be_loaded_into_the_player(asked: Asked) -> None:
    """Does a game inside the player play as it does here, at no cost in game calls?"""
    first = "def first(game): return game.result(game.initial, game.actions(game.initial)[0])"
    with asked(first, check_calls=0) as student:
        game, here = load(student, rules).Nim(2, 1), Nim(2, 1)
        assert exactly(game.initial, here.initial)
        following = here.result(here.initial, (0, 1))
        assert exactly(game.result(here.initial, (0, 1)), following)
        assert student.first(game) == following
        with pytest.raises(ValueError, match="is not a legal move"):
            game.result(here.initial, (1, 2))


# --- functions that live in the referee ------------------------------------------------------


def test_questions_are_not_nested_without_end(asked: Asked) -> None:
    """Is an object that, when the referee looks at it, asks the next question, stopped in time?"""
    source = """
from piles import Position
class Piles:
    def __init__(self, game): self.game = game
    @property
    def items(self): return self.game.actions(Position("X", 0, Piles(self.game), []))
def ask(game): return Piles(game).items
"""
    with asked(source) as student, pytest.raises(Stopped, match="nested without end"):
        student.ask(Recorded(Nim()))


def test_functions_and_objects_cross_both_ways(asked: Asked) -> None:
    """Does a function run here, with plain values, return the object that it was given, and ask
    the student's code in turn?

    Is one that comes back known again, and does an assertion in one end the check?
    """
    source = (
        "class Box: pass\nbox = Box()\ndef swap(f): return f(box) is box\n"
        "def ask(f, *args): return f(*args)\n"
        "def down(f, n): return 0 if n == 0 else 1 + f(n - 1)\n"
        "them = []\ndef on(f):\n    them.append(f)\n    return f\ndef is_on(f): return f in them\n"
        "def careless(f):\n    try: f(3)\n    except BaseException: pass\n"
        "def careful(f, move):\n    try: f('A', move)\n    except ValueError: return 'no move'"
    )

    def cutoff(depth: int) -> bool:
        assert depth < 3, "the depth is counted from 0"
        return False

    with asked(source) as student:

        def here(n: int) -> int:
            return 1 + student.down(here, n)

        assert student.ask(divmod, 7, 2) == (3, 1)
        assert student.ask(sum, range(1, 4)) == 6
        assert student.swap(lambda thing: thing) is True
        assert student.swap(lambda thing: [thing]) is False
        assert student.down(here, 5) == 10
        assert student.careful(Letters().result, "b1") == "no move"
        again = student.on(abs)
        assert [student.is_on(f) for f in (abs, again, len)] == [True, True, False]
        with pytest.raises(AssertionError, match="counted from 0"):
            student.careless(cutoff)


# --- doubles and edges -----------------------------------------------------------------------


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_submission_whose_process_is_gone_is_started_again(
    submit: Submit, monkeypatch: pytest.MonkeyPatch, how: int
) -> None:
    """Is a process that was ended, or does not answer, replaced, but not for ever?"""
    monkeypatch.setattr("referee.sandbox.outside.conversation.FORK_WALL_SECONDS", 1.0)

    def end(submission: Submission) -> None:
        os.kill(submission._process.pid, how)
        while how == signal.SIGKILL and meter.alive(submission._process.pid):
            time.sleep(0.01)

    with submit("x = 1") as submission:
        for _ in range(2):
            end(submission)
            with submission.student() as student:
                assert student.x == 1
        end(submission)
        for _ in range(2 * (how == signal.SIGKILL)):  # one that has changed is never copied
            with pytest.raises(Stopped, match="is gone"), submission.student():
                pass


def test_what_a_student_says_is_shown_without_codes_for_the_terminal() -> None:
    """Do words, lines and tabs stay, and escape codes, bells and endless texts go?"""
    assert printable("caf\u00e9\n\tx\u00a0y") == "caf\u00e9\n\tx\u00a0y"
    assert printable("\x1b]0;owned\x07\x9b31m\u202e") == "\ufffd]0;owned\ufffd\ufffd31m\ufffd"
    assert len(printable("x" * 10**6)) == MESSAGE_CHARACTERS
    assert printable(f"{object()}, {len}") == "<object object>, <built-in function len>"
    assert printable("I am at 0x10, not <at 0x10") == "I am at 0x10, not <at 0x10"


def test_an_object_of_a_check_comes_back_as_nothing_to_work_with(asked: Asked) -> None:
    """Can student code not hand a check's own game back as its answer?"""
    game = Letters()
    with asked("def same(game): return game\ndef pair(game): return [game, 1]") as student:
        for answer in (student.same(game), student.pair(game)[0]):
            assert answer is not game
            for use in (lambda a: a.actions("A"), lambda a: a("A"), len, bool, lambda a: a + 1):
                with pytest.raises(StudentError):
                    use(answer)
