"""Ask whether every conversation with a submission ends, and leaves the referee unharmed."""

import os
import signal
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest

from games import Fig52Game
from referee import process, sandbox, wire
from referee.process import Process, Stopped, Tampered, TimedOut, WorkLimit
from referee.sandbox import Zygote
from referee.submission import Proxy, Student, StudentError, Submission, call_and_look

Submit = Callable[..., Submission]
Asked = Callable[..., AbstractContextManager[Student]]

PROOF = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
"""


def verdict(ask: Callable[[], Any]) -> str:
    """Return the verdict that a check's question leads to."""
    try:
        ask()
    except (Stopped, StudentError) as error:
        return error.verdict
    return "pass"


# --- time ------------------------------------------------------------------------------------


def test_an_endless_loop_costs_one_check(submit: Submit) -> None:
    """Is a loop a timeout that names its line, and the next check untouched?"""
    source = "def loop():\n    n = 0\n    while True:\n        n += 1\ndef fine(): return 1"
    with submit(source) as submission:
        with submission.student() as student, pytest.raises(TimedOut) as caught:
            student.loop()
        with submission.student() as student:
            assert student.fine() == 1
    assert caught.value.verdict == "timeout"
    assert "not finished after 1 seconds of computing, at: cell 1, line " in str(caught.value)
    assert "in loop" in str(caught.value)


def test_an_endless_loop_costs_one_cell(submit: Submit) -> None:
    """Do the names defined before the loop stay, and do later cells run?"""
    with submit("before = 1\nwhile True: pass", "after = before + 1") as submission:
        stopped, later = submission.runs
        assert stopped.error == "The cell was stopped: not finished after 1 seconds of computing."
        assert "KeyboardInterrupt" in stopped.outputs[-1].data["name"]
        assert later.error is None
        with submission.student() as student:
            assert (student.before, student.after) == (1, 2)


def test_an_endless_loop_in_a_cell_is_the_cause_of_a_missing_name(asked: Asked) -> None:
    """Does a check that needs what the loop has kept away tell about the loop?"""
    with (
        asked("while True: pass\nresults = {}") as student,
        pytest.raises(StudentError, match=r"`results` is not defined\..*not finished after 1 sec"),
    ):
        _ = student.results


@pytest.mark.parametrize(
    "source",
    [
        f"{PROOF}while True: pass",
        "def stubborn():\n"
        "    while True:\n"
        "        try:\n"
        "            while True: pass\n"
        "        except BaseException: pass\n"
        "stubborn()",
        "'a' * 4 < ''; sum(range(10 ** 12))",
    ],
    ids=["SIGINT ignored", "all exceptions caught", "inside C code"],
)
def test_a_loop_that_cannot_be_interrupted_is_ended(submit: Submit, source: str) -> None:
    """Does such a loop cost its cell and nothing else, and such a check only itself?"""
    in_check = "\n".join(["def loop():", *(f"    {line}" for line in source.splitlines())])
    with submit("before = 1", source, "after = before", in_check) as submission:
        assert [run.error is None for run in submission.runs] == [True, False, True, True]
        assert "not finished after 1 seconds" in str(submission.runs[1].error)
        with submission.student() as student:
            assert student.after == 1
            assert verdict(student.loop) == "timeout"
        with submission.student() as student:
            assert student.after == 1


def test_a_sleeper_is_stopped_by_the_clock_on_the_wall(submit: Submit) -> None:
    """Does code that waits, and computes nothing, come to an end?"""
    source = "import time\nbefore = 1\ntime.sleep(1000)"
    wait = "def wait(): time.sleep(1000)"
    with submit(source, wait, cell_wall_seconds=1, check_wall_seconds=1) as submission:
        assert submission.runs[0].error == "The cell was stopped: it waited too long."
        with submission.student() as student:
            assert student.before == 1
            with pytest.raises(TimedOut, match="it waited too long, at: cell 2, line 1, in wait"):
                student.wait()


def test_the_time_of_a_check_is_that_of_all_its_questions(asked: Asked) -> None:
    """Do many questions, each of them short, use up the limit together?"""
    source = (
        "import time\n"
        "def work():\n"
        "    end = time.process_time() + 0.1\n"
        "    while time.process_time() < end: pass"
    )
    with asked(source) as student, pytest.raises(TimedOut):
        for _ in range(25):
            student.work()


def test_the_time_of_a_check_runs_on_while_the_game_is_asked(asked: Asked) -> None:
    """Is a slow search ended that asks the referee's game often, but not too often?"""
    source = (
        "import time\n"
        "def work(game):\n"
        "    for _ in range(100):\n"
        "        end = time.process_time() + 0.025\n"
        "        while time.process_time() < end: pass\n"
        "        game.actions('A')"
    )
    with asked(source) as student, pytest.raises(TimedOut):
        student.work(Fig52Game())


def test_a_fast_machine_and_a_slow_one_count_the_same_calls(asked: Asked) -> None:
    """Does the limit of work decide before the seconds do?"""
    source = "def loop(game):\n    while True: game.actions('A')"
    with asked(source, check_game_calls=300, check_cpu_seconds=60) as student:
        assert verdict(lambda: student.loop(Fig52Game())) == "work-limit"


# --- deaths ----------------------------------------------------------------------------------


def test_a_cell_that_ends_the_process_is_left_out(submit: Submit) -> None:
    """Do the cells before and after it run, in a process that has not seen it?"""
    cells = ["one = 1", "two = 2\nimport os\nos._exit(3)", "three = one + 2"]
    with submit(*cells) as submission:
        assert [run.error for run in submission.runs] == [
            None,
            "The cell was stopped: its process ended while it was working.",
            None,
        ]
        with submission.student() as student:
            assert (student.one, student.three) == (1, 3)
            with pytest.raises(StudentError, match=r"`two` is not defined\..*process ended"):
                _ = student.two


def test_a_check_that_ends_the_process_ends_alone(submit: Submit) -> None:
    """Is the next check as if nothing had happened?"""
    source = "import os\ndef leave(): os._exit(0)\ndef fine(): return 1"
    with submit(source) as submission:
        with submission.student() as student:
            with pytest.raises(Stopped, match="its process ended") as caught:
                student.leave()
            assert caught.value.verdict == "killed"
            with pytest.raises(Stopped):
                student.fine()
        with submission.student() as student:
            assert student.fine() == 1


@pytest.mark.parametrize(
    "source",
    [
        "os.kill(os.getpid(), 9)",
        "os.abort()",
        "ctypes.string_at(0)",
        "os.kill(0, 9)",
        "sys.setrecursionlimit(10 ** 9); exec('-' * 10 ** 6 + '1')",
    ],
)
def test_any_death_is_survived(submit: Submit, source: str) -> None:
    """Are signals, crashes of the interpreter and groups of processes the student's own affair?"""
    imports = "import ctypes, os, sys"
    with submit(imports, source, f"def die(): {source}", "fine = 1") as submission:
        assert [run.error is None for run in submission.runs] == [True, False, True, True]
        with submission.student() as student:
            assert verdict(student.die) in ("killed", "error", "memory")
        with submission.student() as student:
            assert student.fine == 1


def test_after_several_deaths_the_rest_is_not_run(submit: Submit) -> None:
    """Does a notebook that ends its process again and again come to an end itself?"""
    with submit(*["import os; os._exit(1)"] * 4, "fine = 1") as submission:
        errors = [run.error for run in submission.runs]
        assert [error is not None and "process ended" in error for error in errors] == [
            True, True, True, False, False
        ]  # fmt: skip
        assert errors[3:] == ["Not run: too many other cells were stopped."] * 2
        with submission.student() as student, pytest.raises(StudentError, match="not defined"):
            _ = student.fine


def test_deep_recursion_is_an_error_like_any_other(asked: Asked) -> None:
    """Is endless recursion told as such, and reasonable recursion possible?"""
    source = "def down(n): return 0 if n == 0 else 1 + down(n - 1)"
    with asked(source) as student:
        assert student.down(2500) == 2500
        with pytest.raises(StudentError, match="maximum recursion depth exceeded") as caught:
            student.down(-1)
        assert caught.value.kinds[0] == "RecursionError"
        assert student.down(1) == 1


@pytest.mark.parametrize(
    "body",
    [
        "return bytearray(10 ** 11)",
        "keep = []\n    while True: keep.append(bytes(10 ** 7))",
        "return 'x' * 10 ** 10",
    ],
    ids=["at once", "bit by bit", "as an answer"],
)
def test_too_much_memory_is_a_verdict_of_its_own(submit: Submit, body: str) -> None:
    """Is running out of memory told apart from other errors, and harmless to the next check?"""
    with submit(f"def grow():\n    {body}\nfine = 1") as submission:
        with submission.student() as student:
            assert verdict(student.grow) == "memory"
        with submission.student() as student:
            assert student.fine == 1


def test_too_much_memory_in_a_cell_costs_the_cell(submit: Submit) -> None:
    """Do later cells run after a cell that took all memory?"""
    with submit("keep = []\nwhile True: keep.append(bytes(10 ** 7))", "fine = 1") as submission:
        assert submission.runs[0].error is not None
        assert submission.runs[1].error is None


# --- forgery ---------------------------------------------------------------------------------

FORGE = """
import os, socket, time

def pipes():
    for name in os.listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{name}").startswith("socket:"):
                yield int(name)
        except OSError:
            pass

def forge(data, value=1):
    for pipe in pipes():
        os.write(pipe, data)
    return value
"""


def framed(body: bytes) -> bytes:
    """Return bytes that look like a message."""
    return struct.pack(">I", len(body)) + body


def forged(message: Any) -> bytes:
    """Return the bytes of a message."""
    return framed(msgspec.msgpack.encode(message))


FORGERIES = {
    "noise": b"noise" * 20,
    "text": b"GET / HTTP/1.1\r\n\r\n",
    "too long": struct.pack(">I", 2**32 - 1),
    "unfinished": struct.pack(">I", 1000) + b"x",
    "empty": framed(b""),
    "no message": framed(b"\xc1"),
    "nested": framed(b"\x91" * 100_000),
    "a value": forged(wire.Value(1)),
    "a bad value": forged(wire.Value(["unknown", []])),
    "a bad pair": forged(wire.Value(["dict", [[1]]])),
    "an unhashable key": forged(wire.Value(["dict", [[["list", []], 1]]])),
    "bytes": forged(wire.Value(b"bytes")),
    "too many values": forged(wire.Value(1, "", [1, 2, 3, 4])),
    "a handle": forged(wire.Value(["handle", 10**9])),
    "a negative handle": forged(wire.Value(["handle", -1])),
    "a remote": forged(wire.Value(["remote", 10**9])),
    "a negative remote": forged(wire.Value(["remote", -1])),
    "an error": forged(wire.Raised([], "", [])),
    "a missing name": forged(wire.Missing("\x1b[31mgone")),
    "a cell": forged(wire.Ran([], None)),
    "a process": forged(wire.Forked(1)),
    "a huge process": forged(wire.Forked(2**40)),
    "a question": forged(wire.Ask(0, "actions", ["A"])),
    "a question about nothing": forged(wire.Ask(7, "actions", ["A"])),
    "a negative question": forged(wire.Ask(-1, "actions", ["A"])),
    "a question too private": forged(wire.Ask(0, "__init__", [])),
    "a question with too few words": forged(wire.Ask(0, "result", [])),
    "a question with bad words": forged(wire.Ask(0, "actions", [["dict", [[1]]]])),
    "a request": forged(wire.Get("x")),
}


@pytest.fixture(scope="module")
def forger(submit: Submit) -> Iterator[Submission]:
    """Give a submission that can write to its pipe."""
    with submit(FORGE) as submission:
        yield submission


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_reply_in_a_check_is_harmless_or_tampering(forger: Submission, name: str) -> None:
    """Does a check that is lied to end in a value or a verdict, never in an error of ours?"""
    text = FORGERIES[name].decode("latin-1")
    with forger.student() as student:
        send = f"lambda *_: forge({text!r}.encode('latin-1'))"
        student.ask_me = None if False else None
        verdict(lambda: forge_in(student, text))
    with forger.student() as student:
        assert isinstance(student.forge, Proxy)
        assert send


def forge_in(student: Student, text: str) -> None:
    """Ask questions of every kind around a forged reply."""
    answer = student.forge_text(text)
    call_and_look(student.forge, answer, Fig52Game())
    student.pipes()
