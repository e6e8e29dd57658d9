"""Hidden checks: they import pytest, and nothing else."""

import pytest


@pytest.mark.check(cell="ordered", points=1, hint="Compare two neighbours.")
def test_ordered(student, chance):
    """It puts numbers and texts in order"""
    numbers = [chance.randrange(100) for _ in range(50)]
    assert student.ordered(numbers) == sorted(numbers)
    assert student.ordered(["b", "a", "ä"]) == ["a", "b", "ä"]


@pytest.mark.check(cell="Stack", points=1, hint="Last in, first out.")
@pytest.mark.parametrize("things", [[1, "two", b"3"], [{4, 5}, frozenset({6}), 7j, (None, [8.5])]])
def test_last_in_first_out(student, things):
    """What was put on it last comes off first, whatever it is"""
    stack = student.Stack()
    for thing in things:
        stack.push(thing)
    taken = [stack.pop() for _ in things]
    assert taken == things[::-1]
    assert [type(thing) for thing in taken] == [type(thing) for thing in things[::-1]]


@pytest.mark.check(cell="Stack", points=1, hint="Say so with a ValueError.")
def test_empty_stack(student):
    """Nothing comes off an empty stack"""
    with pytest.raises(ValueError, match="empty"):
        student.Stack().pop()


@pytest.mark.check(cell="statistics", points=1, hint="A set has each word once.")
def test_words(student):
    """It finds each word once, and a root of every number"""
    assert student.words_of("To be or not to be") == {"to", "be", "or", "not"}
    assert student.root_of(-4) == pytest.approx(2j)


@pytest.mark.check(cell="MiniMax", points=1, hint="The smallest and the largest.")
def test_ends(student):
    """It finds the smallest and the largest"""
    assert student.MiniMax().ends([3, 1, 2]) == (1, 3)
