"""Ask whether a function that takes too much ends, and takes nobody with it."""

import ast
import json
import re
import signal
import threading
from collections.abc import Iterator

import nh3
import pytest

from referee.intake import limited

# Each paragraph repeats all that was open before.
BOLD = "".join(f"<b a={n}>" for n in range(20_000)) + "<p>" * 20_000
ROOM = 256 * 1024**2
SLOW = re.compile(r"(a|aa)+$")


@pytest.fixture(params=["one thread", "two threads"])
def _threads(request: pytest.FixtureRequest) -> Iterator[None]:
    """Give the process another thread, as a worker of a cluster has, or none."""
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    if request.param == "two threads":
        thread.start()
    yield
    end.set()
    if thread.ident:
        thread.join()


def call(function: object, *given: object) -> object:
    return limited.call(function, *given, cpu_seconds=1, memory_bytes=ROOM)


@pytest.mark.usefixtures("_threads")
def test_what_a_function_gives_or_raises_comes_back() -> None:
    """Is an answer the same as here, and an error the error?"""
    assert call(sorted, [3, 1, 2]) == [1, 2, 3]
    with pytest.raises(SyntaxError, match="never closed"):
        call(compile, "f(", "a", "exec")


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize(
    ("function", "given"),
    [
        (SLOW.match, "a" * 60 + "b"),
        (json.loads, f"[{'{},' * 6_000_000}0]"),
        (nh3.clean, BOLD),
        (ast.parse, "a," * 10_000_000),
    ],
    ids=["re", "memory", "Rust", "parser"],
)
def test_c_code_is_stopped_too(function: object, given: object) -> None:
    """Do time and memory end in a regular expression, in Rust, in Python's parser?"""
    with pytest.raises(limited.TooMuchError):
        call(function, given)


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_who_ends_it_is_not_the_text(number: int) -> None:
    """Is a process that somebody else has ended the machine's fault?"""
    with pytest.raises(ChildProcessError, match=str(int(number))):
        call(signal.raise_signal, number)


@pytest.mark.usefixtures("_threads")
def test_memory_that_others_have_taken_is_not_the_texts_fault() -> None:
    """Is an error for want of memory, of a function that had used none, the machine's?"""
    with pytest.raises(ChildProcessError, match="there is memory"):
        call(bytes, 10**13)


def test_an_answer_may_be_long() -> None:
    """Does an answer that no pipe holds come back whole?"""
    assert len(str(call("ab".__mul__, 5_000_000))) == 10_000_000
