"""Hidden checks whose values share a process, and some others between them."""

import os
import signal

import pytest

from piles import Letters, Tree

each = pytest.mark.parametrize
processes = {"one": [], "apart": [], "thread": [], "process": []}  # that were asked
killed = []


def shared(**more):
    return check(shared=True, **more)


def check(cell="double", points=1, **more):
    return pytest.mark.check(cell=cell, points=points, hint="Count.", **more)


@shared()
@each("n", range(30))
def test_double(student, n):
    """It doubles"""
    processes["one"].append(student.process())
    assert student.double(n) == 2 * n, "Twice as much."


@check()
@each("n", range(3))
def test_double_apart(student, n):
    """It doubles in many processes"""
    processes["apart"].append(student.process())


@shared()
@each("n", range(10))
def test_dies(student, n):
    """It ends the process at one value"""
    assert student.dies(n) == 2 * n


@shared()
@each("n", range(4))
def test_crashes(student, n):
    """It crashes at one value"""
    assert student.crashes(n) == 2 * n


@shared()
@each("n", range(5))
def test_hangs(student, n):
    """It never ends for one value"""
    assert student.hangs(n) == 2 * n


@shared()
@each("n", range(4))
def test_eats(student, n):
    """It wants all memory for one value"""
    assert student.eats(n) == 2 * n


@shared()
@each("n", range(3))
def test_busy(student, n):
    """It asks for ever for one value"""
    assert student.busy(Letters(), n) == 2 * n


@shared()
@each("n", range(3))
def test_forging(student, n):
    """It forges a message at one value"""
    assert student.forging(n) == 2 * n


@shared()
@each("n", range(6))
def test_lying_in_wait(student, n):
    """One value makes the process end at another"""
    assert student.lying_in_wait(n) == 2 * n


@shared()
@each("n", range(4))
def test_holding_up(student, n):
    """One value makes another never end"""
    assert student.holding_up(n) == 2 * n


@shared()
@each("n", range(3))
def test_spinning(student, n):
    """A thread of one value takes the time of the others"""
    processes["thread"].append(student.process())
    assert student.spinning(n) == 2 * n


@shared()
@each("n", range(3))
def test_leaving(student, n):
    """A value leaves a process"""
    processes["process"].append(student.process())
    assert student.leaving(n) == 2 * n


@check(needs="test_leaving[2]")
def test_processes():
    """One process is shared, but not with what was left running in it"""
    found = {name: len(set(pids)) for name, pids in processes.items()}
    assert found == {"one": 1, "apart": 3, "thread": 2, "process": 2}


@shared()
@each("n", range(6))
def test_hoarding(student, n):
    """Each value takes more memory"""
    assert student.hoarding(n) == 2 * n


@shared()
@each("n", range(2))
def test_patching(student, n):
    """One value changes what the next one finds"""
    assert student.honest(5) == (10 if n else 6)
    student.patching(n)


@check()
def test_honest(student, files):
    """Nothing of that is there for another check"""
    assert "left.txt" not in list(files)
    assert student.honest(5) == 10


@shared()
@each("n", range(2))
def test_honest_shared(student, n, files):
    """Nor for another one that shares"""
    assert "left.txt" not in list(files)
    assert student.honest(5) == 10


@shared()
@each("n", range(3))
def test_in_our_hands(student, n):
    """A function of the check's own fails at one value"""

    def ask(number):
        if n == 1:
            raise AssertionError("It must not ask.")
        return number

    assert student.asking_back(ask) == [0, 1, 2]


@shared()
@each(("leaves", "count"), [(4, 0), (8, 2)])
def test_games(student, leaves, count):
    """A game has the moves of that one, and not of the one before"""
    tree = Tree(range(leaves), 2)
    assert student.moves(tree, tree.initial) == [[0, 1]]
    student.moves(tree, tree.result((0,), 0))
    assert [len(moves) for moves in student.moves(tree, (0, 0))] == [count]


@shared()
@each("seconds", [100, 200])
def test_clock(student, clock, seconds):
    """The clock stands where the check has set it"""
    clock(seconds)
    assert student.now() == seconds


@shared()
@each("n", range(2))
def test_printed(student, printed, n):
    """What is printed is that of the last call of this value"""
    assert printed() == ""
    student.noisy(n)
    assert printed() == f"told {n}\n"


@shared()
@each("n", range(4))
def test_remembers(student, n):
    """It remembers nothing"""
    assert student.remembers(n) == 1


@shared()
@each("n", range(4))
def test_accident(student, n):
    """It remembers nothing, though something has killed it once"""
    pid = getattr(student._process, "pid", None)  # none in a transcript
    if n == 2 and pid and not killed:
        killed.append(n)
        os.kill(pid, signal.SIGKILL)
    assert student.remembers(n) == 1
