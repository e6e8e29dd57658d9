"""Ask whether every conversation with a submission ends, and leaves the referee unharmed."""

import contextlib
import gc
import os
import signal
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest
from shares import sampled

from piles import Letters
from referee.model import Cell, Limits, Output
from referee.sandbox.inside import jail
from referee.sandbox.outside import conversation
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.server import SandboxError, Server, survey
from referee.sandbox.outside.student import (
    Student,
    StudentError,
    ask_each,
    call_and_look,
)
from referee.sandbox.outside.submission import Submission
from referee.sandbox.wire import messages

Submit = Callable[..., Submission]
Asked = Callable[..., AbstractContextManager[Student]]


@contextlib.contextmanager
def ends(*verdicts: str) -> Iterator[None]:
    """Expect one of these verdicts on what a check asks in the block."""
    verdict = "pass"
    try:
        yield
    except (Stopped, StudentError) as error:
        verdict = error.verdict
    assert verdict in verdicts


# --- time ------------------------------------------------------------------------------------


def test_an_endless_loop_costs_one_check(submit: Submit) -> None:
    """Is a loop a timeout that names its line, and the next check untouched?"""
    source = "def loop():\n    n = 0\n    while True:\n        n += 1\ndef fine(): return 1"
    with submit(source, check_cpu_seconds=0.5) as submission:
        with submission.student() as student, pytest.raises(Stopped) as caught:
            student.loop()
        with submission.student() as student:
            assert student.fine() == 1
    assert caught.value.verdict == "timeout"
    assert "not finished after 0.5 seconds of computing, at: cell 1, line " in str(caught.value)
    assert "in loop" in str(caught.value)


LOOP, WAIT, DEATH = "not finished after 0.5", "it did nothing for 1 seconds", "its process ended"
HARM = {  # what a cell and a check do, what is said of the cell, and the verdict on the check
    "SIGINT ignored": (
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass", LOOP, "timeout"
    ),
    "all exceptions caught": (
        "def stubborn():\n    while True:\n        try:\n            while True: [].append(1)\n"
        "        except BaseException: pass\nstubborn()", LOOP, "timeout"
    ),
    "inside C code": ("sum(range(10 ** 12))", LOOP, "timeout"),
    "asleep": ("time.sleep(1000)", WAIT, "idle"),
    # Who wakes up a hundred times a second is not told from whom a busy machine keeps waiting.
    "often asleep": ("[time.sleep(0.01) for _ in iter(int, 1)]", WAIT, "idle unclear"),
    "waiting": ("subprocess.run(['sleep', '1000'])", WAIT, "idle"),
    "halted": ("os.kill(os.getpid(), signal.SIGSTOP)", WAIT, "idle"),
    # Whoever sends a signal to itself is not told from who was sent one.
    "killed": ("os.kill(os.getpid(), 9)", DEATH, "unclear"),
    "killed in a group": ("os.kill(0, 9)", DEATH, "unclear"),
    "crashed": ("ctypes.string_at(0)", DEATH, "killed"),
    "gone, but not its child": ("os.system('sleep 1000 &')\nos._exit(1)", DEATH, "killed"),
    "large": ("keep = []\nwhile True: keep.append(bytes(10 ** 7))", "Memory", "memory"),
}  # fmt: skip


@pytest.mark.parametrize("name", HARM)
def test_what_does_not_end_well_costs_itself_alone(
    submit: Submit, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Is it stopped and told, in a cell and in a check, and all else as if nothing had happened?

    The first process of a process table of its own does not die of its own signals.
    """
    monkeypatch.setattr(conversation, "GRACE_SECONDS", 0.3)
    body, said, verdicts = HARM[name]
    check = "\n".join(["def harm():", *(f"    {line}" for line in body.splitlines())])
    immune = "os.kill" in body and jail.NAMESPACES[2] in survey(Limits(unsafe=True))[0]
    imports = "import ctypes, os, signal, subprocess, time"
    limits = {"cell_cpu_seconds": 0.5, "check_cpu_seconds": 0.5} if said == LOOP else {}
    limits |= {"cell_wall_seconds": 1, "check_wall_seconds": 1} if said == WAIT else {}
    with submit(imports, body, "fine = 1", check, **limits) as submission:
        others = [submission.runs[at].error for at in (0, 2, 3)]
        assert others == [None, None, None]
        assert (said in str(submission.runs[1].error)) != immune
        with submission.student() as student:
            with ends(*verdicts.split()):
                student.harm()
            if said == DEATH and not immune:
                with pytest.raises(Stopped, match=DEATH):
                    _ = student.fine
        with submission.student() as student:
            assert student.fine == 1


WORK = """
import time
def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
    return 1
def loop():
    while True: pass
"""


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look often at what a process has used, so that limits can be small."""
    monkeypatch.setattr(conversation, "POLL_SECONDS", 0.05)


@pytest.mark.usefixtures("often")
def test_what_cells_waste_is_not_taken_from_checks(submit: Submit) -> None:
    """Are definitions below loops there all the same, and has a check the time that it needs?

    Is there time for one that needs little, when others have used up that of all?
    """
    limits = {"cell_cpu_seconds": 0.4, "check_cpu_seconds": 0.4, "submission_cpu_seconds": 1.2}
    with submit(*["while True: pass"] * 4, WORK, **limits) as submission:
        assert [run.stopped for run in submission.runs] == ["timeout"] * 4 + [None]
        assert "after 0.04 seconds" in str(submission.runs[3].error)
        for name, seconds, verdict in (
            ("work", [0.2], "pass"), *[("loop", [], "timeout")] * 3, ("work", [0], "pass")
        ):  # fmt: skip
            with ends(verdict), submission.student() as student:
                getattr(student, name)(*seconds)


@pytest.mark.usefixtures("often")
def test_a_check_may_be_given_more_time_than_usual(submit: Submit) -> None:
    """Does a higher limit, in proportion to the usual one, hold for its check alone?"""
    with submit(WORK, check_cpu_seconds=0.1) as submission:
        for factor, expected in ((6, "pass"), (1.5, "timeout"), (1, "timeout")):
            with ends(expected), submission.student(factor) as student:
                student.work(0.4)


BUSY: dict[str, tuple[Callable[[Student], Any], str]] = {  # many short questions, what is said
    "often": (lambda s: [s.work(0.1) for _ in range(25)], "after 0.3 seconds of computing"),
    "of the game": (lambda s: s.play(Letters()), "after 0.3 seconds of computing"),
    "that take us long": (lambda s: s.ask(burn), r"its questions took \d+ seconds to answer"),
}


def burn(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.mark.parametrize("name", BUSY)
def test_the_time_of_a_check_is_that_of_all_its_questions(asked: Asked, name: str) -> None:
    """Do many questions use up the limit together, also those that the referee answers?"""
    many = (
        "def play(game):\n    for _ in range(100): work(0.025), game.actions('A')\n"
        "def ask(burn):\n    for _ in range(100): burn(0.2)"
    )
    ask, said = BUSY[name]
    limit = {"check_cpu_seconds": 0.3}
    with asked(WORK + many, **limit) as student, pytest.raises(Stopped, match=said):
        ask(student)


# --- deaths ----------------------------------------------------------------------------------


def test_a_cell_that_ends_the_process_is_left_out(submit: Submit) -> None:
    """Is what it would have defined not there, with the reason, and is after several such cells
    the rest not run?
    """
    deaths = ["two = 2\nimport os; os._exit(3)", *["import os; os._exit(1)"] * 3]
    with submit(*deaths, "fine = 1") as submission:
        errors = [str(run.error) for run in submission.runs]
        assert ["process ended" in error for error in errors] == [True] * 3 + [False] * 2
        assert errors[3:] == ["Not run: too many other cells were stopped."] * 2
        assert "process ended" in submission.failures("two")[0]
        for name in "two", "fine":
            with (
                submission.student() as student,
                pytest.raises(StudentError, match=f"`{name}` is not defined"),
            ):
                getattr(student, name)


# --- forgery ---------------------------------------------------------------------------------

CELLS = Path(__file__).parents[2] / "courses" / "cells"
FORGE = (CELLS / "forges.py").read_text("utf-8")


def framed(body: bytes) -> bytes:
    """Return bytes that look like a message."""
    return struct.pack(">I", len(body)) + body


def forged(message: Any) -> bytes:
    """Return the bytes of a message."""
    return framed(msgspec.msgpack.encode(message))


FORGERIES = {
    "noise": b"noise" * 20,
    "too long": struct.pack(">I", 2**32 - 1),
    "no message": framed(b"\xc1"),
    "nested": framed(b"\x91" * 10_000),
    "a value": forged(messages.Value(1)),
    "a bad value": forged(messages.Value(["unknown", []])),
    "too many values": forged(messages.Value(1, "", [1, 2, 3, 4])),
    "a handle": forged(messages.Value(["object", -1])),
    "a remote": forged(messages.Value(["remote", 10**9])),
    "a negative remote": forged(messages.Value(["remote", -1])),
    "an error": forged(messages.Raised([], "", [])),
    "a missing name": forged(messages.Missing("\x1b[31mgone")),
    "a cell": forged(messages.Ran([], None)),
    "a process": forged(messages.Ready(2**40, ["own user"])),
    "a question": forged(messages.Ask(0, "actions", ["A"])),
    "a question about nothing": forged(messages.Ask(-1, "actions", ["A"])),
    "a private question": forged(messages.Ask(0, "__init__", [])),
    "a question too short": forged(messages.Ask(0, "result", [])),
    "a question with a bad word": forged(messages.Ask(0, "actions", [["dict", [1]]])),
    "a secret for a name": forged(messages.Missing("SECRET 42")),
    "a secret for a tag": forged(messages.Value(["SECRET 42", 3])),
    "an unknown method": forged(messages.Ask(0, "SECRET 42", [])),
    "a secret for a kind": forged({"type": "SECRET 42"}),
}
NONSENSE = "noise", "too long", "no message", "a bad value", "a negative remote"
FORGING = f"FORGERIES = {FORGERIES!r}\n{FORGE}"


@pytest.fixture(scope="module")
def forger(submit: Submit) -> Iterator[Submission]:
    """Give a submission that can write to its pipe."""
    with submit(FORGING) as submission:
        yield submission


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_reply_in_a_check_is_a_value_or_a_verdict(forger: Submission, name: str) -> None:
    """Does a check that is lied to never end in an error of ours, and the next one is right?"""
    with forger.student() as student:
        lie, while_playing, same = student.lie, student.lie_while_playing, student.same
        with ends("pass", "error", "tampered", "killed"):
            ask_each(lie, [(name, 1), (name, 2)])
            call_and_look(lie, name, Letters())
            while_playing(name, Letters())
            same(1)
            _ = student.nothing
    with forger.student() as student:
        assert student.same(2) == 2
        lie, told = student.lie, ""
        try:
            lie(name, Letters())
        except (Stopped, StudentError) as error:
            told = f"{error.verdict}: {error}"
    assert "SECRET" not in told  # what was sent may be what was asked
    assert name not in NONSENSE or told.startswith("tampered: its process sent")


@pytest.mark.parametrize(
    "name", sampled(FORGERIES, "noise", "nested", "a value", "a cell", "a process")
)
def test_a_forged_reply_in_a_cell_is_harmless_or_a_verdict(submit: Submit, name: str) -> None:
    """Does a cell that lies end in a submission all the same, with verdicts for its checks?"""
    with submit(FORGING, f"forge(FORGERIES[{name!r}])", "x = 1") as submission:
        assert len(submission.runs) == 3
        with ends("pass", "tampered", "killed"), submission.student() as student:
            assert student.same(2) == 2


def test_a_forged_process_id_is_nobodys(submit: Submit) -> None:
    """Can a submission not point the referee's signals at another process?"""
    find = (
        "import gc, types\nfunctions = [f for f in gc.get_objects() if type(f) is "
        "types.FunctionType]\n[f for f in functions if f.__name__ == '_forked'][0].__globals__"
    )
    with subprocess.Popen(["sleep", "1000"]) as bystander:
        source = f"lie = {bystander.pid}\n{find}['getpid'] = lambda: lie"
        try:
            with submit(source) as submission, submission.student() as student:
                assert student.lie == bystander.pid
            psutil.wait_procs([psutil.Process(bystander.pid)], timeout=1)
            assert bystander.poll() is None
        finally:
            bystander.kill()


REPLY = forged(messages.Ran([Output("stdout", "late")], None))
LATE = {  # a cell that sends a reply in pieces, each after a pause, and the seconds that it takes
    "drips": ("drip({!r}, {})\nwhile True: pass", 6),
    "drips, each by a thread": ("drip_by_threads({!r}, {})\nwhile True: pass", 6),
    "drips when it is interrupted": (
        "try:\n    time.sleep(1000)\nexcept KeyboardInterrupt:\n    drip({!r}, {})",
        3 * conversation.GRACE_SECONDS,
    ),
}


@pytest.mark.parametrize("name", LATE)
def test_a_reply_that_drips_in_does_not_stop_the_clock(submit: Submit, name: str) -> None:
    """Do the limit, and the time of grace after it, hold for one that keeps sending?"""
    cell, seconds = LATE[name]
    slow = cell.format(REPLY, seconds / len(REPLY))
    with submit(FORGING, slow, cell_cpu_seconds=60, cell_wall_seconds=1) as submission:
        assert "it did nothing for" in str(submission.runs[1].error)
        assert submission.runs[1].outputs == []


def test_a_process_that_stops_listening_is_a_timeout(submit: Submit) -> None:
    """Does a question end that is too large for the pipe, and that nobody reads?"""
    with submit(FORGING, check_cpu_seconds=0.1, check_wall_seconds=1) as submission:
        with submission.student() as student:
            same = student.same
            assert student.lie_and_loop("a value") == 1
            with ends("timeout"):
                same("x" * 10**6)
        with submission.student() as student:
            assert student.same(1) == 1


# --- what is left ----------------------------------------------------------------------------


def test_memory_that_a_check_shares_with_the_notebook_counts_once(submit: Submit) -> None:
    """May a notebook hold much data, however long a check of it takes?"""
    keep = "import os\nclass Kept: data = bytearray(os.urandom(2**20)) * 350\nkept = Kept()"
    limits = {"memory_bytes": 400 * 2**20, "check_cpu_seconds": 5}
    with submit(keep, WORK, **limits) as submission, submission.student() as student:
        assert student.work(1) == 1
        assert student.kept is not None


def test_no_file_descriptor_is_left_after_close(submit: Submit) -> None:
    """Does the referee hold as many open files after a submission as before?"""
    with submit(""):  # whose server may be new
        pass
    gc.collect()
    me = psutil.Process()
    before = me.num_fds()
    cells = "import os\ndef leave(): os._exit(1)", "os._exit(1)", "while True: pass"
    with submit(*cells, cell_cpu_seconds=0.5) as given:
        for _ in range(3):
            with ends("killed"), given.student() as student:
                student.leave()
    assert me.num_fds() == before


# --- the server ------------------------------------------------------------------------------


def test_a_server_that_cannot_start_says_why() -> None:
    """Is the last word of a broken player process told to the instructor?"""
    with (
        Server(Limits(memory_bytes=1)) as server,
        pytest.raises(SandboxError, match=r"the player process has ended; its last words: \S"),
    ):
        server.fork()


def test_what_an_accident_has_cost_is_not_the_submissions(
    submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Do cells that were killed from outside, twice, have the time that the others have?"""
    burn = "import time\nwhile time.process_time() < 1: pass\n"
    run_cell, kills = Submission._run_cell, [1, 2]

    def killed(one: Submission, player: conversation.Process, cell: Cell) -> Any:
        if cell.source == "later = 1" and kills:
            kills.pop()
            os.kill(player.pid, signal.SIGKILL)
        return run_cell(one, player, cell)

    monkeypatch.setattr(Submission, "_run_cell", killed)
    with submit(burn, "later = 1", submission_cpu_seconds=2.0) as submission:
        assert [run.error for run in submission.runs] == [None, None]
        with submission.student() as student:
            assert student.later == 1
    assert not kills
