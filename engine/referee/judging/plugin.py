"""Run hidden checks: give them their fixtures, and turn the outcome of each into a verdict.

A pytest plugin. A hidden check is a test function marked

    @pytest.mark.check(cell="MiniMax", points=3, hint="...", needs="test_other")

whose docstring's first line is its title (optional: `needs`, and `cpu_factor`, of its time limit).
Its fixtures: `student` (the notebook's names), `printed` (output), `arguments` (of the last call),
`typed` (input), `files`, `drawn` and `shown` (figures), `chance` (seeded random.Random),
`student_id`, `by_hand`.
`pytest tests/hidden/ASSIGNMENT` runs them on the reference solution.
"""

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest

from referee import intake
from referee.course import Assignment, Course
from referee.judging import verdicts
from referee.model import CheckResult, Cost, Reference, Verdict
from referee.sandbox.outside import student as submissions
from referee.sandbox.outside.server import warm
from referee.sandbox.outside.student import Student
from referee.sandbox.outside.submission import Submission


class Marker(msgspec.Struct, forbid_unknown_fields=True):
    """The arguments of a check's marker; it has `cpu_factor` times the usual limit of time."""

    cell: str
    points: Annotated[float, msgspec.Meta(gt=0, lt=1e9)]
    hint: str = ""
    needs: str | None = None
    cpu_factor: Annotated[float, msgspec.Meta(ge=1, lt=1e9)] = 1.0


class Host:
    """Holds the submissions that checks are run on, and the results."""

    def __init__(
        self,
        assignment: Assignment | None = None,
        submission: Submission | None = None,
        results: Iterable[CheckResult] = (),
    ) -> None:
        """Serve the submission of an assignment; without one, the reference of each check.

        `results` are those of checks that others may need.
        """
        self.results = {result.id: result for result in results}
        self.costs: dict[str, Cost] = {}
        self.seen: dict[str, dict[str, bool]] = {}
        self.waits: dict[str, str] = {}  # by check, why a human has to decide
        self.student: Student | None = None  # of the check that runs
        self.latest = submission  # that a check was about
        self._pair = (assignment, submission) if assignment and submission else None
        self._references: dict[Path, tuple[Assignment, Submission]] = {}  # by their checks' folder

    def about(self, request: pytest.FixtureRequest) -> tuple[Assignment, Submission]:
        """Return the assignment that the running check belongs to, and the submission it is on."""
        folder, root = request.path.parent, request.config.rootpath
        if self._pair is None and folder not in self._references:
            key = folder.relative_to(root / "tests" / "hidden").as_posix()
            task = Course(root).find(key)._replace(reference=Reference())
            accepted = intake.accept_file(task, task.source.read_bytes())
            limits = task.course.limits(unsafe=True)
            work = Submission(warm(limits, task.subject), accepted.cells, task.support, limits)
            self._references[folder] = task, work
        pair = self._pair or self._references[folder]
        self.latest = pair[1]
        return pair

    def forget(self, check: str) -> None:
        """Drop what is known of a check, which is run again."""
        self.results.pop(check, None)
        self.waits.pop(check, None)

    def close(self) -> None:
        """End the submissions that were started here."""
        for _, submission in self._references.values():
            submission.close()


HOST = pytest.StashKey[Host]()


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, and make a host unless there is one."""
    config.addinivalue_line(
        "markers", "check(cell, points, hint, needs, cpu_factor): a hidden check"
    )
    config.stash.setdefault(HOST, Host())


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the submissions that were started for the checks."""
    config.stash[HOST].close()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Raise a UsageError for checks with wrong markers."""
    if messages := faults(items):
        raise pytest.UsageError(*messages)


def faults(items: list[pytest.Item]) -> list[str]:
    """Return what is wrong with the markers of checks, with file and line."""
    messages, names = [], set()
    for item in items:
        names.add(name(item))
        marker = item.get_closest_marker("check")
        if marker is None:
            continue
        before, skip = needed(item), item.get_closest_marker("skip")
        try:
            msgspec.convert(marker.kwargs, Marker)
        except msgspec.ValidationError as error:
            fields = ", ".join(Marker.__struct_fields__)
            messages.append(f"{place(item)}: its marker is wrong ({error}); it has {fields}")
            continue
        if skip is not None:
            why = skip.kwargs.get("reason") or "".join(map(str, skip.args))
            messages.append(
                f"{place(item)}: pytest skips it ({why}), so it tests nothing; take the mark away, "
                "or give it parameters"
            )
        elif before is not None and before not in names:
            messages.append(f"{place(item)}: it needs {before}, which does not come before")
    return list(dict.fromkeys(messages))


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
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Call a check; RuntimeError if it returns a value, which was probably meant as an assert.

    Pytest's own warning of it depends on the filters that a check may set.
    """
    if not marker(pyfuncitem):
        return None
    fixtures = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    if pyfuncitem.obj(**fixtures) is not None:
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
    verdict, message = verdicts.classify(error, host.latest.records if host.latest else ())
    broken, details = verdict is Verdict.REFEREE_ERROR, ""
    if broken and call.excinfo:
        call.excinfo.traceback = call.excinfo.traceback.cut(path=item.path)
        details = str(call.excinfo.getrepr(style="short"))
    if broken and verdicts.is_about_answer(error, getattr(item, "funcargs", {})):
        verdict, message = Verdict.WRONG, f"{verdicts.ODD} ({type(error).__name__})."
    if verdict.lost and host.latest and host.latest.doubt:  # it may not be the student's fault
        verdict, message = Verdict.UNCLEAR, host.latest.doubt
    student = host.student  # also where a fixture has failed that a check has in its place
    failures = submissions.failures(student, error) if error and student and verdict.lost else []
    message = "\n".join([*failures[1:], message])
    points = marker.kwargs["points"]
    doc = getattr(getattr(item, "function", None), "__doc__", None) or item.name
    result = results[name(item)] = CheckResult(
        id=name(item),
        cell=marker.kwargs["cell"],
        title=str(doc).strip().splitlines()[0],
        verdict=verdict,
        points=points if verdict is Verdict.PASS else 0,
        max_points=points,
        message=submissions.printable(message),
        details=details,
        waits=submissions.printable(host.waits.get(name(item), "")),
        cause=submissions.printable("".join(failures[:1])),
    )
    if verdict.lost and not result.unwritten:
        result.hint = marker.kwargs.get("hint", "")
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
    mark = item.get_closest_marker("check")
    return mark.kwargs if mark else {}


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
    host, check = request.config.stash[HOST], name(request.node)
    task, submission = host.about(request)
    data = None if task.reference is None else task.reference.data
    with submission.student(marker(request.node).get("cpu_factor", 1.0), data) as student:
        host.student = student
        yield student
        host.student = None
        host.costs[check] = submissions.cost(student)
        host.seen[check] = submissions.always_data(student)


@pytest.fixture
def printed(student: Student) -> Callable[[], str]:
    """Give what the student's code printed during the last call."""
    return lambda: submissions.printed(student)


@pytest.fixture
def arguments(student: Student) -> Callable[[], list[Any]]:
    """Give the arguments of the last call after it, such as a list that it has sorted."""
    return submissions.look_at_arguments(student)


@pytest.fixture
def environment(student: Student) -> Any:
    """Give the module in the student's process that sets input and files."""
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
def drawn(environment: Any) -> Callable[[], list[dict[str, Any]]]:
    """Give the figures that were drawn for this check, as plain values, and close them."""
    return lambda: environment.drawn()


@pytest.fixture
def shown(environment: Any) -> Callable[[], list[dict[str, Any]]]:
    """Give the figures that the notebook shows below its cells, as plain values."""
    return lambda: environment.shown()


@pytest.fixture
def student_id(request: pytest.FixtureRequest) -> str:
    """Give the id of the student who handed in the notebook; "" if nobody did."""
    return request.config.stash[HOST].about(request)[0].student


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
    task, work = request.config.stash[HOST].about(request)
    seed = f"{task.seed} {request.node.name} {work.digest} {task.draw or ''}"
    return random.Random(hashlib.sha256(seed.encode()).digest())
