"""Give hidden checks what they ask, and turn what becomes of each check into a verdict.

A pytest plugin. A hidden check is a test function marked

    @pytest.mark.check(cell="MiniMax", points=3, hint="...", needs="test_other")

whose docstring's first line is its title (`needs` and `cpu_seconds`, which raises its limit of
time, are optional). Its fixtures: `student` (what the notebook defines), `printed` (what it has
printed), `typed`, `files`, `clock` and `drawn` (what it meets and leaves), `chance` (seeded
random.Random), `student_id`.
`pytest tests/hidden/ASSIGNMENT` runs them on the reference solution, `--notebook FILE` on another.
"""

import contextlib
import hashlib
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from _pytest import runner

from referee import course, intake
from referee.judging import verdicts
from referee.model import TRIES, CheckResult, Cost, Verdict
from referee.sandbox.outside import student as submissions
from referee.sandbox.outside.student import Student
from referee.sandbox.outside.submission import Submission
from referee.sandbox.outside.zygote import Zygote

MOST_POINTS = 1e9


class Host:
    """Owns the submission that checks talk to and the results that they bring."""

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

        Of some checks the result may be `known`, so that others can need them; `student` is whose
        submission it is, as far as that is known, and `draw` numbers what is drawn by lot. Some
        checks talk to their `transcripts` before they talk to the submission. `data` is that of
        the assignment; a notebook that is started here is that of somebody who tries a check, and
        objects are objects everywhere.
        """
        self.student = student
        self.draw = draw
        self.results = {result.id: result for result in known}
        self.costs: dict[str, Cost] = {}
        self.transcripts: dict[str, bytes] = {}  # new ones
        self._before = dict(transcripts or {})
        self._unheard = False
        self.data = data if given is not None else ()
        self.seen: dict[str, dict[str, bool]] = {}
        self._given = given
        self._started: dict[Path, tuple[Zygote, Submission]] = {}

    @property
    def records(self) -> Sequence[type]:
        """Return the types that the course lets cross the pipe as themselves."""
        return next((one.records for one in self._running()), ())

    @property
    def doubt(self) -> str:
        """Return why it is not the code's fault, perhaps, that a check is lost, or ""."""
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
        """Give a check whom to ask; note what that has cost, and what was said."""
        submission = self.submission(request)
        with submission.student(seconds, self._before.get(check), self.data) as student:
            yield student
            self.costs[check] = submissions.cost(student)
            self.seen[check] = submissions.seen(student)
            self._unheard = submissions.unheard(student)
            if transcript := submissions.transcript(student):
                self.transcripts[check] = transcript

    def forget(self, check: str) -> bool:
        """Return whether a check has just asked what its transcript does not know; forget that."""
        unheard, self._unheard = self._unheard, False
        if unheard:
            del self._before[check]
        return unheard

    def _running(self) -> list[Submission]:
        started = [submission for _, submission in self._started.values()]
        return started if self._given is None else [self._given]

    def close(self) -> None:
        """End what was started here."""
        for zygote, started in self._started.values():
            started.close()
            zygote.close()


HOST = pytest.StashKey[Host]()


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
    verdict, message = verdicts.classify(error, host.records)
    broken = verdict is Verdict.REFEREE_ERROR
    if broken and verdicts.is_about_answer(error, getattr(item, "funcargs", {})):
        verdict, message = Verdict.WRONG, f"{verdicts.ODD} ({type(error).__name__})."
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
    with host.student_for(
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
