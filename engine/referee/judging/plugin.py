"""Run hidden checks: give them their fixtures, and turn the outcome of each into a verdict.

A pytest plugin. A hidden check is a test function marked

    @pytest.mark.check(cell="MiniMax", points=3, hint="...", needs="test_other")

whose docstring's first line is its title (optional: `needs`; `cpu_seconds`, which raises its time
limit; `shared`, which lets its parameters share a process). Its fixtures: `student` (the notebook's
names), `printed` (output), `arguments` (of the last call), `typed` (input), `files`, `clock`,
`drawn` and `shown` (figures), `chance` (seeded random.Random), `student_id`, `by_hand`,
`mutants` of the student's code, `alone`: processes without it.
`pytest tests/hidden/ASSIGNMENT` runs them on the reference solution, `--notebook FILE` on another.
"""

import contextlib
import hashlib
import itertools
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from _pytest import runner

from referee import course, intake
from referee.intake import mutants as maker
from referee.judging import digests, verdicts
from referee.model import TRIES, CheckResult, Cost, Verdict
from referee.sandbox.outside import student as submissions
from referee.sandbox.outside.student import Student
from referee.sandbox.outside.submission import CheckCopies, Submission
from referee.sandbox.outside.zygote import Zygote

MOST_POINTS = 1e9
NOTHING_TO_SHARE = (
    "shared=True lets the values of a check share a process, and this one has none; give it "
    "@pytest.mark.parametrize, or take shared away"
)
ALONE_SECONDS = 1.0
Alone = Callable[[], contextlib.AbstractContextManager[Student]]


class Host:
    """Holds the submission that checks are run on, and their results."""

    def __init__(
        self,
        given: Submission | None = None,
        known: Iterable[CheckResult] = (),
        student: str = "",
        draw: int = 0,
        transcripts: Mapping[str, bytes] | None = None,
        data: Collection[str] | None = None,
    ) -> None:
        """Serve the `given` submission; without one, start the notebook a check belongs to.

        `known` are results of checks that others may need; `student` is the id of the student, or
        ""; `draw` selects another random draw. Checks with `transcripts` are answered from these
        first. `data` are the paths of answers that must be plain data, for a given submission.
        """
        self.student = student
        self.draw = draw
        self.results = {result.id: result for result in known}
        self.costs: dict[str, Cost] = {}
        self.transcripts: dict[str, bytes] = {}  # of this run
        self._before = dict(transcripts or {})
        self._unheard = False
        self._sharing = ""  # the check whose values share a copy of the process now
        self._copies: CheckCopies | None = None  # for that one
        self.reports: dict[pytest.Item, list[pytest.TestReport]] = {}  # not handed on yet
        self.data = data if given is not None else ()
        self.seen: dict[str, dict[str, bool]] = {}
        self.waits: dict[str, str] = {}  # by check, why a human has to decide
        self._given = given
        self._started: dict[Path, tuple[Zygote, Submission]] = {}

    @property
    def records(self) -> Sequence[type]:
        """Return the course's types that cross the pipe as values."""
        return next((one.records for one in self._running()), ())

    @property
    def doubt(self) -> str:
        """Return why a lost check may not be the student's fault, or ""."""
        return next((one.doubt for one in self._running() if one.doubt), "")

    def submission(self, request: pytest.FixtureRequest) -> Submission:
        """Return the submission that the running check is about."""
        if self._given is not None:
            return self._given
        root = request.config.rootpath
        assignment = course.checked_in(root, request.path.parent)
        notebook = Path(request.config.getoption("--notebook") or assignment.source)
        if notebook not in self._started:
            accepted = intake.accept_file(assignment, notebook.read_bytes())
            limits = course.limits(root, unsafe=True)
            zygote = Zygote(limits, assignment.subject)
            started = Submission(zygote, accepted.cells, assignment.support, limits)
            self._started[notebook] = zygote, started
        return self._started[notebook][1]

    @contextlib.contextmanager
    def student_for(
        self, request: pytest.FixtureRequest, check: str, seconds: float | None
    ) -> Iterator[Student]:
        """Give a check, or one of its values, its `Student`; afterwards note cost and answers."""
        with contextlib.ExitStack() as alone:
            if not self._sharing:
                alone.enter_context(self.sharing(check))
            if self._copies is None:
                submission = self.submission(request)
                self._copies = CheckCopies(submission, self._before.get(self._sharing))
            with self._copies.student(seconds, self.data) as student:
                yield student
                self.costs[check] = submissions.cost(student)
                self.seen[check] = submissions.seen(student)
                self._unheard |= submissions.unheard(student)

    @contextlib.contextmanager
    def sharing(self, check: str) -> Iterator[None]:
        """Let all that asks in the block share a copy; its transcript is stored under `check`."""
        self._sharing = check
        try:
            yield
        finally:
            if self._copies is not None:
                self._copies.close()
                if transcript := self._copies.transcript():
                    self.transcripts[check] = transcript
            self._sharing, self._copies = "", None

    def asks_again(self, check: str, last_try: bool) -> bool:
        """Return whether a value was stopped in a copy that others had used before it.

        Then that copy has ended, and the value is asked once more, in a new one. After an accident
        it is only asked so if that was the last try: another one is for all values that share.
        """
        result, copies = self.results.get(check), self._copies
        if result is None or copies is None:
            return False
        verdict, again = result.verdict, copies.values > 1
        if copies.broken or verdict.stopped or verdict is Verdict.TAMPERED:
            copies.close()
            return again and (last_try or not verdict.accident)
        return False

    def forget(self, check: str) -> bool:
        """Return whether a check asked more than its transcript answers; then drop that."""
        unheard, self._unheard = self._unheard, False
        if unheard:
            del self._before[check]
        return unheard

    def _running(self) -> list[Submission]:
        started = [submission for _, submission in self._started.values()]
        return started if self._given is None else [self._given]

    def close(self) -> None:
        """End the submissions that were started here."""
        for zygote, started in self._started.values():
            started.close()
            zygote.close()


HOST = pytest.StashKey[Host]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--notebook`."""
    parser.addoption("--notebook", help="the notebook that the hidden checks are run on")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, and make a host unless there is one."""
    config.addinivalue_line(
        "markers", "check(cell, points, hint, needs, cpu_seconds, shared): a hidden check"
    )
    config.stash.setdefault(HOST, Host())
    notebook = config.getoption("--notebook")
    if notebook and not Path(notebook).is_file():
        raise pytest.UsageError(f"--notebook: there is no file {notebook}")


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the submissions that were started for the checks."""
    config.stash[HOST].close()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Raise a UsageError for checks with wrong markers; put values that share together."""
    if found := faults(items):
        raise pytest.UsageError(*found)
    items[:] = itertools.chain.from_iterable(together(items))


def together(items: Iterable[pytest.Item]) -> list[list[pytest.Item]]:
    """Return items by the process that they get: each its own, but for values that share one."""
    found: dict[str, list[pytest.Item]] = {}
    for item in items:
        shared = marker(item).get("shared")
        found.setdefault(digests.of_check(name(item)) if shared else name(item), []).append(item)
    return list(found.values())


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
        shared = marker.kwargs.get("shared", False)
        skipped = item.get_closest_marker("skip")
        if missing:
            found.append(f"{place(item)}: its marker lacks {', '.join(sorted(missing))}")
        elif type(points) not in (int, float) or not 0 < points < MOST_POINTS:
            found.append(f"{place(item)}: points={points!r:.80}; give it a number above 0")
        elif type(shared) is not bool:
            found.append(
                f"{place(item)}: shared={shared!r:.80}; write shared=True, or leave it out"
            )
        elif shared and not hasattr(item, "callspec"):
            found.append(f"{place(item)}: {NOTHING_TO_SHARE}")
        elif skipped is not None:
            why = skipped.kwargs.get("reason") or "".join(map(str, skipped.args))
            found.append(
                f"{place(item)}: pytest skips it ({why}), so it tests nothing; take the mark away, "
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
    """Skip a check if the one that it `needs` was stopped, not run, or found nothing written."""
    before = item.config.stash[HOST].results.get(needed(item) or "")
    if before is not None and (
        before.verdict.stopped or before.verdict is Verdict.NOT_RUN or before.unwritten
    ):
        pytest.skip(f"Not run, because this must work first: {before.title}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a check, or all values of one that share a process when the first of them is due."""
    if not marker(item):
        return None
    reports = item.config.stash[HOST].reports
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    if item not in reports:
        all_items, values = item.session.items, [item]
        if marker(item).get("shared"):
            values = next(values for values in together(all_items) if item in values)
            after = all_items.index(values[-1]) + 1
            nextitem = all_items[after] if after < len(all_items) else None
        reports |= _run(values, nextitem)
    for report in reports.pop(item):
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _run(
    values: Sequence[pytest.Item], nextitem: pytest.Item | None
) -> dict[pytest.Item, list[pytest.TestReport]]:
    """Run a check, or its values that share a process; return their reports.

    All of them run again after an accident, or if their transcript does not answer all questions:
    what a value finds depends on those before it.
    """
    host, first, tries = values[0].config.stash[HOST], name(values[0]), 0
    while tries < TRIES:
        with host.sharing(first):
            following = zip(values, [*values[1:], nextitem], strict=True)
            last = tries == TRIES - 1
            reports = {item: _run_value(host, item, after, last) for item, after in following}
        if host.forget(first):
            continue
        found = [host.results.get(name(item)) for item in values]
        if all(result is not None and not result.verdict.odd for result in found):
            break
        tries += 1
    return reports


def _run_value(
    host: Host, item: pytest.Item, nextitem: pytest.Item | None, last_try: bool
) -> list[pytest.TestReport]:
    """Run a check, or one of its values; once more if the others may have had it stopped."""
    again = True
    while again:
        host.results.pop(name(item), None)
        host.waits.pop(name(item), None)
        reports = runner.runtestprotocol(item, log=False, nextitem=nextitem)
        again = host.asks_again(name(item), last_try)
    return reports


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Call a check; RuntimeError if it returns a value, which was probably meant as an assert."""
    if not marker(pyfuncitem):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    if pyfuncitem.obj(**given) is not None:
        raise RuntimeError("it returns a value, which checks nothing; write assert")
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
    verdict, message = verdicts.classify(error, host.records)
    broken = verdict is Verdict.REFEREE_ERROR
    if broken and verdicts.is_about_answer(error, getattr(item, "funcargs", {})):
        verdict, message = Verdict.WRONG, f"{verdicts.ODD} ({type(error).__name__})."
    if verdict.lost and host.doubt:
        verdict, message = Verdict.UNCLEAR, host.doubt
    if verdict is Verdict.WRONG:
        message = verdicts.agreeing(message, title(item))
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
        waits=submissions.printable(host.waits.get(name(item), "")),
    )
    if verdict.lost and not result.unwritten:
        result.hint = marker.kwargs["hint"]
    return report


def name(item: pytest.Item) -> str:
    """Return the id of a check in results: `file.py::test_name`."""
    return f"{item.path.name}::{item.nodeid.partition('::')[2]}"


def needed(item: pytest.Item) -> str | None:
    """Return the id of the check, in the same file, that this one needs, or None."""
    other = marker(item).get("needs")
    return None if other is None else f"{item.path.name}::{other}"


def marker(item: pytest.Item) -> Mapping[str, Any]:
    """Return the arguments of a check's marker: its cell, points and so on."""
    found = item.get_closest_marker("check")
    return found.kwargs if found else {}


def title(item: pytest.Item) -> str:
    """Return the first line of a check's docstring."""
    doc = getattr(getattr(item, "function", None), "__doc__", None) or item.name
    return str(doc).strip().splitlines()[0]


def _traceback(item: pytest.Item, call: pytest.CallInfo[None]) -> str:
    """Return the traceback of a failed check, from its own file on."""
    if (error := call.excinfo) is None:
        return ""
    error.traceback = error.traceback.cut(path=item.path)
    return str(error.getrepr(style="short"))


class Files:
    """The files of a submission by name: text, or bytes where a file holds no text."""

    def __init__(self, environment: Any) -> None:
        """Use the files in the student's process."""
        self._environment = environment

    def __getitem__(self, name: str) -> str | bytes:
        """Return the content of a file; if it is missing, StudentError and FileNotFoundError."""
        content = self._environment.read(name)
        return content if isinstance(content, (str, bytes)) else ""

    def __setitem__(self, name: str, content: str | bytes) -> None:
        """Write a file."""
        self._environment.write(name, content)

    def __iter__(self) -> Iterator[str]:
        """Return the names of all files, including those of the release."""
        return iter(self._environment.names())


# --- fixtures --------------------------------------------------------------------------------


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Iterator[Student]:
    """Give the names that the notebook defines, in a process for this check alone."""
    host = request.config.stash[HOST]
    with host.student_for(
        request, name(request.node), marker(request.node).get("cpu_seconds")
    ) as student:
        yield student


@pytest.fixture
def printed(student: Student) -> Callable[[], str]:
    """Give what the student's code printed during the last call."""
    return lambda: submissions.printed(student)


@pytest.fixture
def arguments(student: Student) -> Callable[[], list[Any]]:
    """Give the arguments of the last call after it, such as a list that it has sorted."""
    return submissions.looking(student)


@pytest.fixture
def environment(student: Student) -> Any:
    """Give the module in the student's process that sets input, files and clocks."""
    return submissions.environment(student)


@pytest.fixture
def typed(environment: Any) -> Callable[..., None]:
    """Set the lines that the next calls of `input()` return: `typed("Ada", "7")`."""
    return lambda *lines: environment.answer(*lines)


@pytest.fixture
def files(environment: Any) -> Files:
    """Give the files next to the notebook: `files["data.csv"] = "a,b"`, `files["out.txt"]`."""
    return Files(environment)


@pytest.fixture
def clock(environment: Any) -> Callable[[float], None]:
    """Stop all clocks at a number of seconds since 1970, in UTC; `sleep` sets them forward."""
    return lambda seconds: environment.stop_clock(seconds)


@pytest.fixture
def drawn(environment: Any) -> Callable[[], list[dict[str, Any]]]:
    """Give the figures that were drawn for this check, as plain values, and close them."""
    return lambda: environment.drawn()


@pytest.fixture
def shown(environment: Any) -> Callable[[], list[dict[str, Any]]]:
    """Give the figures that the notebook shows below its cells, as plain values."""
    return lambda: environment.shown()


@pytest.fixture
def alone(request: pytest.FixtureRequest) -> Iterator[Alone]:
    """Give processes in which nothing of the notebook has run: `with alone() as empty:`."""
    with request.config.stash[HOST].submission(request).alone(ALONE_SECONDS) as submission:
        yield submission.student


@pytest.fixture
def mutants(request: pytest.FixtureRequest, alone: Alone) -> Callable[[str, int], list[Any]]:
    """Give the mutants of a cell's code: `mutants("fib", 50)` are at most 50, and it unchanged.

    Each is a list: its line, the lines that it changes, as a diff, and its source.
    """

    def of_cell(cell: str, most: int) -> list[Any]:
        code = request.config.stash[HOST].submission(request).code(cell)
        with alone() as empty:
            found: list[Any] = submissions.load(empty, maker).of_code(code, most)
        return found

    return of_cell


@pytest.fixture
def student_id(request: pytest.FixtureRequest) -> str:
    """Give the id of the student who handed in the notebook; "" if nobody did."""
    return request.config.stash[HOST].student


@pytest.fixture
def by_hand(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Leave the mark of the check's cell to a human, for a reason: `by_hand("It is ...")`."""
    host, check = request.config.stash[HOST], name(request.node)
    return lambda why: host.waits.update({check: why})


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """Give random numbers that depend on the course's secret, the check and the code handed in.

    Answers written into a notebook do not help: its code has changed, and with it the questions.
    """
    assignment = course.checked_in(request.config.rootpath, request.path.parent)
    host = request.config.stash[HOST]
    work = host.submission(request).digest
    seed = f"{assignment.seed} {request.node.name} {work} {host.draw or ''}"
    return random.Random(hashlib.sha256(seed.encode()).digest())
