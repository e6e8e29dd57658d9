"""Give hidden checks what they ask, and turn what becomes of each check into a verdict.

A pytest plugin. A hidden check is a test function marked

    @pytest.mark.check(cell="MiniMax", points=3, hint="...", needs="test_other")

whose docstring's first line is its title (`needs` and `cpu_seconds`, which raises its limit of
time, are optional). Its fixtures: `student` (what the notebook defines), `printed` (what it has
printed), `typed`, `files`, `clock` and `drawn` (what it meets and leaves), `chance` (seeded
random.Random), `student_id`.
`pytest tests/hidden/ASSIGNMENT` runs them on the reference solution, `--notebook FILE` on another.
"""

import hashlib
import linecache
import random
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from _pytest import runner

from referee import course
from referee.judging.host import HOST, Host
from referee.model import NOT_WRITTEN, CheckResult, Verdict
from referee.sandbox.outside import student as submissions
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.student import MissingNameError, Student, StudentError
from referee.sandbox.wire.values import PLAIN

PLAIN_DATA = "Plain data, such as a number, is where a class, an object or a function should be."
ENDLESS = "Your code gives items on and on: a `while True` with `yield` has no end."
ODD = "Your code's answer is not of the kind that is asked for: the check cannot work with it"
BROKEN_BY_ANSWERS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
ENGINE = Path(__file__).parents[1]
WORD = re.compile(r"[^\W\d]\w*")
TRIES = 3
DIGITS = re.compile(r"\d")
LEAK_CHARACTERS = 80
MOST_POINTS = 1e9
NOT_CALLABLE = re.compile(r"'(\w+)' object is not callable$")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--notebook`."""
    parser.addoption("--notebook", help="the notebook that the hidden checks are run on")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, and make a host unless the judge has brought one."""
    config.addinivalue_line(
        "markers", "check(cell, points, hint, needs, cpu_seconds): a hidden check"
    )
    config.stash.setdefault(HOST, Host())
    notebook = config.getoption("--notebook")
    if notebook and not Path(notebook).is_file():
        raise pytest.UsageError(f"--notebook: there is no file {notebook}")


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the submissions that were started for the checks."""
    config.stash[HOST].close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a check whose marker is incomplete, or which needs one that does not come before."""
    if found := faults(items):
        raise pytest.UsageError(*found)


def faults(items: list[pytest.Item]) -> list[str]:
    """Return what is wrong with the markers of checks, with file and line."""
    found, seen = [], set()
    for item in items:
        seen.add(name(item))
        marker = item.get_closest_marker("check")
        if marker is None:
            continue
        missing = {"cell", "points", "hint"} - set(marker.kwargs)
        points, before = marker.kwargs.get("points", 0), needed(item)
        skipped = item.get_closest_marker("skip")
        if missing:
            found.append(f"{place(item)}: its marker lacks {', '.join(sorted(missing))}")
        elif type(points) not in (int, float) or not 0 < points < MOST_POINTS:
            found.append(f"{place(item)}: points={points!r:.80}; give it a number above 0")
        elif skipped is not None:
            why = skipped.kwargs.get("reason") or "".join(map(str, skipped.args))
            found.append(
                f"{place(item)}: pytest skips it ({why}), so it asks nothing; take the mark away, "
                "or give it parameters"
            )
        elif before is not None and before not in seen:
            found.append(f"{place(item)}: it needs {before}, which does not come before")
    return list(dict.fromkeys(found))


def place(item: pytest.Item) -> str:
    """Return the file, line and name of a test function."""
    file, line, _ = item.location
    return f"{file}:{(line or 0) + 1}: {item.name.partition('[')[0]}"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a check that would only loop, too, or find nothing written, as the one it `needs`."""
    before = item.config.stash[HOST].results.get(needed(item) or "")
    if before is not None and (
        before.verdict.stopped or before.verdict is Verdict.NOT_RUN or before.unwritten
    ):
        pytest.skip(f"Not run, because this must work first: {before.title}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Ask a check again in which an accident has happened, or whose transcript falls silent."""
    if not marker(item):
        return None
    host = item.config.stash[HOST]
    results, tries = host.results, 0
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    while tries < TRIES:
        results.pop(name(item), None)
        reports = runner.runtestprotocol(item, log=False, nextitem=nextitem)
        if host.forget(name(item)):
            continue
        if name(item) in results and not results[name(item)].verdict.odd:
            break
        tries += 1
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Call a check; one that returns something has not asserted it."""
    if not marker(pyfuncitem):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    if pyfuncitem.obj(**given) is not None:
        raise RuntimeError("it returns a value, by which nothing is asked; write assert")
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Note the verdict of a hidden check."""
    report = yield
    marker = item.get_closest_marker("check")
    host = item.config.stash[HOST]
    results = host.results
    failed_before = name(item) in results and results[name(item)].verdict is not Verdict.PASS
    if marker is None or failed_before or (call.when != "call" and call.excinfo is None):
        return report
    error = call.excinfo.value if call.excinfo else None
    verdict, message = classify(error, host.records)
    broken = verdict is Verdict.REFEREE_ERROR
    if broken and _is_about_answer(error, getattr(item, "funcargs", {})):
        verdict, message = Verdict.WRONG, f"{ODD} ({type(error).__name__})."
    if verdict.lost and host.doubt:
        verdict, message = Verdict.UNCLEAR, host.doubt
    points = marker.kwargs["points"]
    result = results[name(item)] = CheckResult(
        id=name(item),
        cell=marker.kwargs["cell"],
        title=title(item),
        verdict=verdict,
        points=points if verdict is Verdict.PASS else 0,
        max_points=points,
        message=submissions.printable(message),
        details=_traceback(item, call) if broken else "",
    )
    if verdict.lost and not result.unwritten:
        result.hint = marker.kwargs["hint"]
    return report


def classify(error: BaseException | None, records: Sequence[type] = ()) -> tuple[Verdict, str]:
    """Return the verdict on a check that ended with `error`, and a sentence about it.

    The types of `records` are plain data, too.
    """
    match error:
        case None:
            return Verdict.PASS, ""
        case pytest.skip.Exception():
            return Verdict.NOT_RUN, str(error)
        case StudentError():  # which may be an AssertionError, too
            return error.verdict, _said(error)
        case AssertionError() | pytest.fail.Exception():
            return Verdict.WRONG, str(error)
        case Stopped():
            return error.verdict, f"Your code was stopped: {error}."
        case TypeError() | AttributeError() if _is_about(error, (*PLAIN, *records)):
            return Verdict.ERROR, PLAIN_DATA
        case _:
            said = f"The check itself failed ({type(error).__name__}: {error})."
            return Verdict.REFEREE_ERROR, said


def name(item: pytest.Item) -> str:
    """Return what a check is called in results: its file and its own name."""
    return f"{item.path.name}::{item.nodeid.partition('::')[2]}"


def needed(item: pytest.Item) -> str | None:
    """Return the check, of the same file, without which this one is not run."""
    other = marker(item).get("needs")
    return None if other is None else f"{item.path.name}::{other}"


def marker(item: pytest.Item) -> Mapping[str, Any]:
    """Return what a check's marker says of it: its cell, points and so on."""
    found = item.get_closest_marker("check")
    return found.kwargs if found else {}


def _is_about(error: TypeError | AttributeError, plain: Sequence[type]) -> bool:
    """Return whether a check has called plain data, or asked it for what it does not have.

    A notebook may say `MiniMax = 3`. That a check of ours makes this mistake by itself would show
    on the first right solution.
    """
    if isinstance(error, TypeError):
        called = NOT_CALLABLE.match(str(error))
        return called is not None and called[1] in {kind.__name__ for kind in plain}
    return error.name is not None and type(error.obj) in plain


def _is_about_answer(error: BaseException | None, funcargs: Mapping[str, Any]) -> bool:
    """Return whether a check of ours has failed at something that it was answered.

    Its last step has then worked on the student, or on an answer or a part of one. A right solution
    has passed the check, or it would be suspended.
    """
    student = funcargs.get("student")
    told = isinstance(error, submissions.ObjectError)
    if student is None or told or not isinstance(error, BROKEN_BY_ANSWERS):
        return False
    steps = [
        (frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if _is_ours(frame)
    ]
    if not steps:
        return False
    frame, _ = steps[-1]
    names = set(WORD.findall(_last_step(error, frame)))
    operands = {id(frame.f_locals[name]) for name in names & frame.f_locals.keys()}
    return bool(operands & {id(student), *map(id, submissions.answered(student))})


def _is_ours(frame: FrameType) -> bool:
    """Return whether a frame belongs to a check or to what it imports of the course."""
    file = Path(frame.f_code.co_filename)
    return not any(file.is_relative_to(one) for one in (ENGINE, sys.prefix, sys.base_prefix))


def _last_step(error: BaseException, frame: FrameType) -> str:
    """Return the source of the expression that a frame has failed in; its whole line at worst."""
    summary = traceback.TracebackException.from_exception(error).stack
    place = [step for step in summary if step.filename == frame.f_code.co_filename][-1]
    line = linecache.getline(place.filename, place.lineno or 0)
    if place.end_lineno == place.lineno and place.colno is not None:
        return line.encode()[place.colno : place.end_colno].decode("utf-8", "replace")
    return line


def title(item: pytest.Item) -> str:
    """Return the first line of a check's docstring."""
    doc = getattr(getattr(item, "function", None), "__doc__", None) or item.name
    return str(doc).strip().splitlines()[0]


def _traceback(item: pytest.Item, call: pytest.CallInfo[None]) -> str:
    """Return where a check broke, from its own file on."""
    if (error := call.excinfo) is None:
        return ""
    error.traceback = error.traceback.cut(path=item.path)
    return str(error.getrepr(style="short"))


def _said(error: StudentError) -> str:
    """Return what a student reads of an exception: little, lest it carries away what was asked."""
    if "NotImplementedError" in error.kinds:
        return NOT_WRITTEN
    if "EndlessError" in error.kinds:
        return ENDLESS
    kind = error.kinds[0] if error.kinds else "an error"
    text = str(error)
    if not isinstance(error, MissingNameError):
        kind, text = (DIGITS.sub("#", part)[:LEAK_CHARACTERS] for part in (kind, text))
    said = f"Your code raised {kind}: {text}" if text else f"Your code raised {kind}"
    return "\n".join([said, *(f"  at {line}" for line in error.where)])


class Files:
    """The files of a submission by name: text, or bytes where a file holds no text."""

    def __init__(self, desk: Any) -> None:
        """Ask what is in the student's process."""
        self._desk = desk

    def __getitem__(self, name: str) -> str | bytes:
        """Return what a file holds; a StudentError, a FileNotFoundError too, if it is not there."""
        content = self._desk.read(name)
        return content if isinstance(content, (str, bytes)) else ""

    def __setitem__(self, name: str, content: str | bytes) -> None:
        """Put a file there."""
        self._desk.write(name, content)

    def __iter__(self) -> Iterator[str]:
        """Return the names of all files, those of the release too."""
        return iter(self._desk.names())


# --- fixtures --------------------------------------------------------------------------------


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Iterator[Student]:
    """Give what the notebook defines, in a process that is this check's own."""
    host = request.config.stash[HOST]
    with host.asked(
        request, name(request.node), marker(request.node).get("cpu_seconds")
    ) as student:
        yield student


@pytest.fixture
def printed(student: Student) -> Callable[[], str]:
    """Give what the student's code printed while it answered the last question."""
    return lambda: submissions.printed(student)


@pytest.fixture
def arguments(student: Student) -> Callable[[], list[Any]]:
    """Give what became of the arguments of the last call, such as a list that was sorted."""
    return submissions.looking(student)


@pytest.fixture
def desk(student: Student) -> Any:
    """Give what prepares and looks at things inside the student's process."""
    return submissions.desk(student)


@pytest.fixture
def typed(desk: Any) -> Callable[..., None]:
    """Type lines, which the next calls of `input()` give: `typed("Ada", "7")`."""
    return lambda *lines: desk.answer(*lines)


@pytest.fixture
def files(desk: Any) -> Files:
    """Give the files next to the notebook: `files["data.csv"] = "a,b"`, `files["out.txt"]`."""
    return Files(desk)


@pytest.fixture
def clock(desk: Any) -> Callable[[float], None]:
    """Stop all clocks at so many seconds since 1970, in UTC; `sleep` sets them forward."""
    return lambda seconds: desk.stop_clock(seconds)


@pytest.fixture
def drawn(desk: Any) -> Callable[[], list[dict[str, Any]]]:
    """Give the figures that were drawn for this check, as plain values, and close them."""
    return lambda: desk.drawn()


@pytest.fixture
def shown(desk: Any) -> Callable[[], list[dict[str, Any]]]:
    """Give the figures that the notebook shows below its cells, as plain values."""
    return lambda: desk.shown()


@pytest.fixture
def student_id(request: pytest.FixtureRequest) -> str:
    """Give who has handed the notebook in, as the folder is called; "" when nobody has."""
    return request.config.stash[HOST].student


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """Give random numbers that depend on the course's secret, the check and the code handed in.

    Whoever writes down what was asked has another notebook then, and is asked something else.
    """
    assignment = course.checked_in(request.config.rootpath, request.path.parent)
    host = request.config.stash[HOST]
    work = host.submission(request).digest
    seed = f"{assignment.seed} {request.node.name} {work} {host.draw or ''}"
    return random.Random(hashlib.sha256(seed.encode()).digest())
