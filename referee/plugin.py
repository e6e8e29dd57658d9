"""Give hidden checks their fixtures, and turn what becomes of each check into a verdict.

A pytest plugin. A hidden check is a test function marked

    @pytest.mark.check(cell="MiniMax", points=3, hint="...", needs="test_other")

whose docstring's first line is its title (`needs` and `cpu_seconds`, which raises its limit of
time, are optional). Its fixtures: `student` (what the notebook defines),
`trace` (records a game), `tictactoe` and `fast_tictactoe` (trusted boards, traced here or running
inside the player), `drop_tree` and `fast_connect_four` (the same for Connect Four), `corridors` and
`alike` (trees that students have not seen), `oracle` and `four_oracle` (exact values), `chance` (a
seeded random.Random). `pytest tests/hidden/ASSIGNMENT`
runs them on the reference solution, `--notebook FILE` on another.
Imported by `judge`; imports `submission` and what it takes to start one.
"""

import functools
import hashlib
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from games import Fig52Game, GameState
from referee import connect_four, course, intake, ipynb, rules, sandbox, submission
from referee.oracle import Oracle
from referee.process import Stopped
from referee.trace import Corridors, Trace, Unfolded


class CheckResult(msgspec.Struct):
    """What became of one check; the fields are those of the JSON report."""

    id: str
    cell: str
    title: str
    verdict: str
    points: float
    max_points: float
    message: str
    details: str = ""  # the traceback of a check of ours that failed; never for students


class Host:
    """Owns the submission that checks talk to and the results that they bring."""

    def __init__(
        self,
        given: submission.Submission | None = None,
        known: Iterable[CheckResult] = (),
        student: str = "",
    ) -> None:
        """Serve the `given` submission; without one, start the notebook a check belongs to.

        Of some checks the result may be `known`, so that others can need them; `student` is whose
        submission it is, as far as that is known.
        """
        self.student = student
        self.results = {result.id: result for result in known}
        self.costs: dict[str, submission.Cost] = {}
        self._given = given
        self._started: dict[Path, tuple[sandbox.Zygote, submission.Submission]] = {}

    def submission(self, request: pytest.FixtureRequest) -> submission.Submission:
        """Return the submission that the running check is about."""
        if self._given is not None:
            return self._given
        root = request.config.rootpath
        assignment = course.find_assignment(root, request.path.parent.name)
        notebook = Path(request.config.getoption("--notebook") or assignment.source)
        if notebook not in self._started:
            release = ipynb.parse(assignment.release.read_bytes())
            accepted = intake.read(notebook.read_bytes(), release)
            limits = submission.Limits()
            zygote = sandbox.Zygote(limits.memory_bytes, unsafe=True)
            started = submission.Submission(
                zygote, intake.code_cells(accepted.notebook), assignment.release.parent, limits
            )
            self._started[notebook] = zygote, started
        return self._started[notebook][1]

    def close(self) -> None:
        """End what was started here."""
        for zygote, started in self._started.values():
            started.close()
            zygote.close()


NOT_WRITTEN = "Not written yet: the code still raises NotImplementedError."
PLAIN = "Plain data, such as a number, is where a class, an object or a function should be."
NOT_CALLABLE = re.compile(
    r"'(NoneType|bool|int|float|str|list|tuple|dict|GameState)' object is not callable$"
)
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
    seen: set[str] = set()
    for item in items:
        seen.add(name(item))
        marker = item.get_closest_marker("check")
        if marker is None:
            continue
        missing = {"cell", "points", "hint"} - set(marker.kwargs)
        if missing:
            raise pytest.UsageError(f"{item.nodeid}: its marker lacks {', '.join(sorted(missing))}")
        before = needed(item)
        if before is not None and before not in seen:
            raise pytest.UsageError(f"{item.nodeid}: it needs {before}, which does not come before")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a check whose `needs` has not passed: it would only say the same again."""
    before = item.config.stash[HOST].results.get(needed(item) or "")
    if before is not None and before.verdict != "pass":
        pytest.skip(f"Not run, because this must work first: {before.title}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Note the verdict of a hidden check."""
    report = yield
    marker = item.get_closest_marker("check")
    results = item.config.stash[HOST].results
    failed_before = name(item) in results and results[name(item)].verdict != "pass"
    if marker is None or failed_before or (call.when != "call" and call.excinfo is None):
        return report
    verdict, message = classify(call.excinfo.value if call.excinfo else None)
    points = marker.kwargs["points"]
    hint, message = marker.kwargs["hint"], submission.shown(message)
    if verdict not in ("pass", "not-run", "referee-error") and message != NOT_WRITTEN:
        message = f"{message}\nHint: {hint}".strip()
    results[name(item)] = CheckResult(
        id=name(item),
        cell=marker.kwargs["cell"],
        title=title(item),
        verdict=verdict,
        points=points if verdict == "pass" else 0,
        max_points=points,
        message=message,
        details=_traceback(call) if verdict == "referee-error" else "",
    )
    return report


def classify(error: BaseException | None) -> tuple[str, str]:
    """Return the verdict on a check that ended with `error`, and a sentence about it."""
    match error:
        case None:
            return "pass", ""
        case pytest.skip.Exception():
            return "not-run", str(error)
        case AssertionError() | pytest.fail.Exception():
            return "wrong", str(error)
        case submission.StudentError():
            return error.verdict, _said(error)
        case Stopped():
            return error.verdict, f"Your code was stopped: {error}."
        case TypeError() | AttributeError() if _is_about_plain_data(error):
            return "error", PLAIN
        case _:
            return "referee-error", f"The check itself failed ({type(error).__name__}: {error})."


def name(item: pytest.Item) -> str:
    """Return what a check is called in results: its file and its own name."""
    return f"{item.path.name}::{item.nodeid.partition('::')[2]}"


def needed(item: pytest.Item) -> str | None:
    """Return the check, of the same file, without which this one is not run."""
    other = told(item).get("needs")
    return None if other is None else f"{item.path.name}::{other}"


def is_needed(item: pytest.Item, names: Iterable[str]) -> bool:
    """Return whether a check is one of those named, or one that these need."""
    functions = vars(item.module) if isinstance(item, pytest.Function) else {}
    wanted = list(names)
    for name in wanted:  # which grows
        marks = getattr(functions.get(name.partition("[")[0]), "pytestmark", [])
        wanted += [m.kwargs["needs"] for m in marks if m.name == "check" and "needs" in m.kwargs]
    return item.name in wanted or getattr(item, "originalname", item.name) in wanted


def told(item: pytest.Item) -> Mapping[str, Any]:
    """Return what a check's marker says of it: its cell, points and so on."""
    marker = item.get_closest_marker("check")
    return marker.kwargs if marker else {}


def _is_about_plain_data(error: TypeError | AttributeError) -> bool:
    """Return whether a check has called plain data, or asked it for what it does not have.

    A notebook may say `MiniMax = 3`. That a check of ours makes this mistake by itself would show
    on the first right solution.
    """
    if isinstance(error, TypeError):
        return NOT_CALLABLE.match(str(error)) is not None
    plain = (type(None), bool, int, float, str, list, tuple, dict, GameState)
    return error.name is not None and type(error.obj) in plain


def title(item: pytest.Item) -> str:
    """Return the first line of a check's docstring."""
    doc = getattr(getattr(item, "function", None), "__doc__", None) or item.name
    return str(doc).strip().splitlines()[0]


def _traceback(call: pytest.CallInfo[None]) -> str:
    return str(call.excinfo.getrepr(style="short")) if call.excinfo else ""


def _said(error: submission.StudentError) -> str:
    if "NotImplementedError" in error.kinds:
        return NOT_WRITTEN
    kind = error.kinds[0] if error.kinds else "an error"
    said = f"Your code raised {kind}: {error}" if str(error) else f"Your code raised {kind}"
    return "\n".join([said, *(f"  at {line}" for line in error.where)])


# --- fixtures --------------------------------------------------------------------------------


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Iterator[submission.Student]:
    """Give what the notebook defines, in a process that is this check's own."""
    host = request.config.stash[HOST]
    seconds = told(request.node).get("cpu_seconds")
    with host.submission(request).student(seconds) as student:
        yield student
        host.costs[name(request.node)] = submission.cost(student)


@pytest.fixture
def trace() -> type[Trace]:
    """Give the class of recorded games: `trace(game, *states)`."""
    return Trace


@pytest.fixture
def corridors() -> type[Corridors]:
    """Give a class of games with many plies and few states: `corridors(values, plies)`."""
    return Corridors


@pytest.fixture
def alike(chance: random.Random) -> tuple[Trace, dict[str, str]]:
    """Give the textbook's tree with other leaves, recorded, and the best move in each state.

    No two leaves are alike, and no move is best that is best in the textbook.
    """
    textbook = {"A": "a1", "B": "b1", "C": "c1", "D": "d3"}
    best = dict(textbook)
    while set(best.items()) & set(textbook.items()):

        class Figure(Fig52Game):
            leaves: ClassVar = dict(
                zip(Fig52Game.leaves, chance.sample(range(2, 99), 9), strict=True)
            )

        figure = Figure()
        game = Trace(figure, *textbook)
        for state in textbook:
            worth = {
                move: game.minimax_value(figure.result(state, move), figure.to_move(state))
                for move in figure.actions(state)
            }
            best[state] = max(worth, key=worth.__getitem__)
    return game, best


@pytest.fixture
def tictactoe() -> Callable[..., Trace]:
    """Give trusted boards that are recorded here: `tictactoe(h, v, k, *states)`."""

    def make(h: int = 3, v: int = 3, k: int = 3, *states: Any) -> Trace:
        return Trace(rules.TicTacToe(h, v, k), *states)

    return make


@pytest.fixture
def board_tree() -> Callable[..., Trace]:
    """Give recorded trees of a board game: `board_tree(h, v, k, start)`; states are paths."""

    def make(h: int = 3, v: int = 3, k: int = 3, start: Any = None) -> Trace:
        game = rules.TicTacToe(h, v, k)
        return Trace(Unfolded(game, game.initial if start is None else start))

    return make


@pytest.fixture
def fast_tictactoe(student: submission.Student) -> Callable[..., Any]:
    """Give trusted boards that run inside the player, for searches that need speed.

    With `lazy` their `actions` is a generator.
    """

    def make(h: int = 3, v: int = 3, k: int = 3, lazy: bool = False) -> Any:
        module = submission.load(student, rules)
        return (module.LazyTicTacToe if lazy else module.TicTacToe)(h, v, k)

    return make


@pytest.fixture
def drop_tree() -> Callable[..., Trace]:
    """Give recorded trees of Connect Four: `drop_tree(start, rows, columns, k)`; states: paths."""

    def make(start: GameState, rows: int = 6, columns: int = 7, k: int = 4) -> Trace:
        return Trace(Unfolded(rules.ConnectFour(rows, columns, k), start))

    return make


@pytest.fixture
def fast_connect_four(student: submission.Student) -> Callable[..., Any]:
    """Give trusted Connect Four that runs inside the player: `fast_connect_four(rows, columns, k)`.

    With `lazy` its `actions` is a generator.
    """

    def make(rows: int = 6, columns: int = 7, k: int = 4, lazy: bool = False) -> Any:
        module = submission.load(student, rules)
        return (module.LazyConnectFour if lazy else module.ConnectFour)(rows, columns, k)

    return make


@pytest.fixture
def printed(student: submission.Student) -> Callable[[], str]:
    """Give what the student's code printed while it answered the last question."""
    return lambda: submission.printed(student)


@pytest.fixture
def call_and_look() -> Callable[..., tuple[Any, list[Any]]]:
    """Give `call_and_look(function, *args)`: the answer, and the arguments as they are then."""
    return submission.call_and_look


@pytest.fixture
def ask_each() -> Callable[..., list[Any]]:
    """Give `ask_each(function, [args, args, ...])`: all answers, in few round trips."""
    return submission.ask_each


@functools.cache
def _oracle(h: int, v: int, k: int) -> Oracle:
    return Oracle(h, v, k)


@pytest.fixture
def oracle() -> Callable[..., Oracle]:
    """Give exact values: `oracle(h, v, k)`."""

    def make(h: int = 3, v: int = 3, k: int = 3) -> Oracle:
        return _oracle(h, v, k)

    return make


@functools.cache
def _four_oracle(rows: int, columns: int, k: int) -> connect_four.Solver:
    return connect_four.Solver(rows, columns, k)


@pytest.fixture
def four_oracle() -> Callable[..., connect_four.Solver]:
    """Give exact values of Connect Four: `four_oracle(rows, columns, k)`."""

    def make(rows: int = 6, columns: int = 7, k: int = 4) -> connect_four.Solver:
        return _four_oracle(rows, columns, k)

    return make


@pytest.fixture
def student_id(request: pytest.FixtureRequest) -> str:
    """Give who has handed the notebook in, as the folder is called; "" when nobody has."""
    return request.config.stash[HOST].student


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """Give random numbers that depend on the check and the course's secret only."""
    return _lots(request, "")


@pytest.fixture
def own_chance(request: pytest.FixtureRequest, student_id: str) -> random.Random:
    """Give random numbers that depend on the student as well."""
    return _lots(request, student_id)


def _lots(request: pytest.FixtureRequest, student: str) -> random.Random:
    assignment = course.find_assignment(request.config.rootpath, request.path.parent.name)
    seed = f"{assignment.of(student).seed} {request.node.name}"
    return random.Random(hashlib.sha256(seed.encode()).digest())
