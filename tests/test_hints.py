"""`hints.py` says what is behind a wrong answer or an error, where it was seen."""

import collections
import fractions
import traceback

import pytest

from handout.hints import Hints, expect, look


def told(code: str, call: str) -> str:
    """Return what is added to the error of a call of a student's code."""
    values = {"__name__": "__main__"}
    exec(code, values)  # noqa: S102 - written above
    hints = Hints(values)
    try:
        found = eval(call, values)
        raise AssertionError(f"{found} is wrong")
    except Exception as error:
        frames = list(traceback.walk_tb(error.__traceback__))
        own = [
            one for one in frames if one[0].f_globals is values and "<" not in one[0].f_code.co_name
        ]
        return hints.added(str(error), error, own)


TOLD = [
    ("class A:\n g = 1\n def f(self): return g", "A().f()", "Write self.g: it belongs to the"),
    ("max = 3\ndef f(x): return max(x, 1)", "f(1)", "`max` is 3 there and no longer Python's"),
    ("max = 3\ndef f(x): return max(x, 1)", "f(1)", "and run `del max`."),
    ("class A:\n def f(x): pass", "A().f(1)", "Write `def f(self, x)`: a method has a `self`."),
    ("def f(a, b): return a.upper()", "f(1, 'x')", "`a` is 1; what has `upper` is `b`."),
    (
        "class A:\n game = 'x'\n def __init__(self): self.game = self.game\n"
        " def f(self, s): return s.upper()",
        "A().f(1)",
        "what has `upper` is `self.game`.",
    ),
    ("from games import Game\nclass A: pass", "A().to_move(1)", "is yours a `class A(Game)`?"),
    ("def f(a, b): return a[b]", "f({}, 1)", "1\nThe check asked for f(a, b)"),
    ("def f(x, seen=[]): seen.append(x)", "f(1)", "Calls change `seen=...` of f, and the next"),
    ("seen = {1: 2}\ndef f(x): seen[1] = x", "f(1)", "Calls change `seen`, and the next call"),
    ("n = 5\ndef f(x):\n global n\n n += x", "f(1)", "Calls change `n`, and the next call"),
    ("class A: n = [0]\ndef f(x): A.n[0] = x", "f(1)", "Calls change `A.n`, and the next call"),
]


@pytest.mark.parametrize(("code", "call", "said"), TOLD)
def test_what_was_seen_is_told(code, call, said):
    """Is the cause named that stands in the code, with what to do?"""
    assert said in told(code, call)


GAME = "from games import ConnectFour\ndef f(game, state, sum=1): return "


@pytest.mark.parametrize(
    ("code", "call", "said"),
    [
        ("n = [1]\ndef f(x): return n + n", "f(1)", "[1, 1] is wrong"),
        ("n = [1]\ndef f(x): n[0] = 1", "f(1)", "None is wrong"),
        ("class A:\n def __call__(self, x): pass\nA = A()", "A()", None),
        ("class A:\n utility = 0\n def f(self, s): return s.utility", "A().f('B')", None),
        # A hint is said of the line where it happened, and not of the names of a caller.
        (f"{GAME}game.to_move(state)", "f(ConnectFour(), 'A')", None),
        (f"{GAME}game.play_game(state)", "f(ConnectFour(), 5)", "'int' object is not callable"),
    ],
)
def test_what_was_not_seen_is_not_guessed(code, call, said):
    """Is nothing added to an answer that is only wrong, nor a `self` where there is one?"""
    text = told(code, call).partition("\nThe check asked for ")[0]
    assert text == said or (said is None and "\n" not in text)


PAIR = "a pair (value, move)"
LOOKS = [  # what came back, an example of what was asked, and what is said
    ((4, "a1", "f() returned", "the move"), "4, a number: asked is the move."),
    ((None, 0, "x is", "the move"), "None: asked is the move."),
    (((1, (2, 0)), (2, 0), "f() returned", "the move"), "(1, (2, 0)): asked is the move alone,"),
    ((("a", 3), (3, "a"), "f() returned", PAIR), "('a', 3): the other way round, please; asked"),
    (
        (((3, 1), 0), (3, "a"), "f() returned", PAIR),
        "a part of it is (3, 1), a pair: asked is a num",
    ),
    (({}, [0], "x is"), "{}, a dict: asked is a list of 1."),
    (([1, 2], 0, "x is"), "[1, 2], a pair: asked is a number."),
    (({"a": 1}, {"a": 0, "b": 0}, "x is"), "{'a': 1}: its keys should be 'a', 'b'."),
    (({"a": "1"}, {"a": 0}, "x is"), "{'a': '1'}; a part of it is '1', a text: asked is a number."),
    ((True, 0, "x is"), "True, a bool: asked is a number."),
    ((int, 0, "x is"), "<class 'int'>, a type: asked is a number."),
]


@pytest.mark.parametrize(("arguments", "said"), LOOKS)
def test_what_came_back_is_named_by_its_type(arguments, said):
    """Is a wrong type told before anything else, and what was asked?"""
    with pytest.raises(pytest.fail.Exception) as caught:
        look(*arguments)
    assert str(caught.value).startswith(arguments[2])
    assert said in str(caught.value)


def test_a_right_type_leaves_the_word_to_the_check():
    """Is a value that is asked for, or a list in place of a tuple, no matter of types?"""
    look(fractions.Fraction(1, 2), 0, "")
    look((3, None), (0, 0), "")
    look([3, 4], (0, 0), "")
    look(collections.namedtuple("Answer", "value move")(3, 4), (0, 0), "")
    look(collections.defaultdict(int, a=1), {"a": 0}, "")


@pytest.mark.parametrize(
    ("value", "right", "said"),
    [
        (2, (3, 4), "f() returned 2; expected the values, 3 or 4: it is."),
        ((0, 3), ((3, 0),), "f() returned (0, 3); expected the values, (3, 0): it is."),
        ([1], ([1, 2],), "f() returned [1]; expected the values, [1, 2]: it is."),
    ],
)
def test_what_came_is_told_beside_what_was_expected(value, right, said):
    """Is it said what came and what is right, and nothing if it is that, tuple or list?"""
    with pytest.raises(AssertionError) as caught:
        expect("f() returned", value, *right, why="it is", form="the values")
    assert str(caught.value) == said
    expect("f() returned", list(right[0]) if right[0] == (3, 0) else right[0], *right)
