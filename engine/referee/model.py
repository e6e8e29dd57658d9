"""The types of the product: limits, cells, checks, verdicts, marks, reports, records.

They hold data, and values computed from it alone. The player imports this module, too, so it holds
nothing of a course.
"""

import importlib
import random
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

TRIES = 3  # at a cell or a check, where an accident has happened
NOT_WRITTEN = "The code still raises NotImplementedError: write yours in its place."
# Folders of a machine that student code sees whole, for the programs and libraries in them.
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")


Seconds: TypeAlias = Annotated[float, msgspec.Meta(gt=0, le=1e9)]
Count: TypeAlias = Annotated[int, msgspec.Meta(gt=0)]
Kind: TypeAlias = Literal["stdout", "stderr", "display_data", "execute_result", "error"]


class Verdict(StrEnum):
    """The outcome of a check."""

    PASS = "pass"
    WRONG = "wrong"
    ERROR = "error"
    TIMEOUT = "timeout"
    WORK_LIMIT = "work-limit"
    MEMORY = "memory"
    KILLED = "killed"
    IDLE = "idle"
    TAMPERED = "tampered"
    NOT_RUN = "not-run"
    UNCLEAR = "unclear"  # perhaps the machine's fault: never a zero
    REFEREE_ERROR = "referee-error"  # ours: the same

    @property
    def lost(self) -> bool:
        """Return whether the check did not pass by the submission's own fault."""
        return self not in (Verdict.PASS, Verdict.NOT_RUN) and not self.open

    @property
    def open(self) -> bool:
        """Return whether a human has to decide: it may not be the submission's fault."""
        return self in (Verdict.UNCLEAR, Verdict.REFEREE_ERROR)

    @property
    def accident(self) -> bool:
        """Return whether the next run may end otherwise: it is run again, and never stored."""
        return self in (Verdict.UNCLEAR, Verdict.KILLED)

    @property
    def odd(self) -> bool:
        """Return whether it must happen `TRIES` times in a row to count."""
        return self.accident or self is Verdict.IDLE

    @property
    def stopped(self) -> bool:
        """Return whether the submission was stopped before it had answered."""
        return self in (
            Verdict.TIMEOUT, Verdict.WORK_LIMIT, Verdict.MEMORY, Verdict.KILLED, Verdict.IDLE
        )  # fmt: skip


class Format(StrEnum):
    """The tables that marks are exported as."""

    CELLS = "cells"
    CHECKS = "checks"
    CANVAS = "canvas"
    MOODLE = "moodle"


class Platform(StrEnum):
    """The learning platforms that submissions come from and feedback is named for."""

    MOODLE = "moodle"
    CANVAS = "canvas"
    ILIAS = "ilias"
    FOLDER = "folder"


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of a submission; a course sets them as `c.Limits.NAME` in `nbgrader_config.py`.

    Wall seconds are for code that sleeps: they count only while it is idle although it could
    compute. A submission has its CPU seconds once for all its cells and once for all its checks;
    together they may be idle twice as long as a cell, and all its processes may use one and a half
    times the memory of one. `check_calls` counts calls of objects in the referee. `unsafe` lets
    code run where nothing keeps it from the files of the machine.
    """

    cell_cpu_seconds: Seconds = 30.0
    cell_wall_seconds: Seconds = 60.0
    check_cpu_seconds: Seconds = 20.0
    check_wall_seconds: Seconds = 30.0
    submission_cpu_seconds: Seconds = 600.0
    check_calls: Count = 100_000
    memory_bytes: Count = 2 * 1024**3
    processes: Count = 100
    folder_bytes: Count = 64 * 1024**2
    unsafe: bool = False


class CellTest(msgspec.Struct, frozen=True):
    """The asserts of a test cell, hidden ones included, which are run in the student's process.

    `imports` are those of the released notebook; `pinned` are the built-ins and imported names in
    the `source`, which keep their values from before student code. `before` is source that defines
    the names of earlier test cells that this one uses.
    """

    name: str
    source: str
    points: float
    imports: str
    pinned: tuple[str, ...]
    before: str = ""


class Cell(msgspec.Struct, frozen=True, omit_defaults=True):
    """A code cell to run: its source, and the label that tracebacks show.

    A `test` is run before the cell, in a copy of the process; the source is then the visible part
    of the test.
    """

    source: str
    label: str
    test: CellTest | None = None


class Output(msgspec.Struct, frozen=True):
    """One output of a cell, in the terms of the notebook format."""

    kind: Kind
    text: str
    data: dict[str, str] = {}
    traceback: list[str] = []


class CellFailure(msgspec.Struct, frozen=True):
    """The exception of a test: its classes, its text, the student's line, the line of the test."""

    kinds: list[str]
    message: str
    where: list[str]
    line: int


class CellRun(msgspec.Struct, frozen=True):
    """The outcome of a cell: its outputs, and its error, if any.

    `stopped` is the reason if it was stopped from outside. The `result` of a test is its points, or
    its exception.
    """

    outputs: list[Output] = []
    error: str | None = None
    stopped: Verdict | None = None
    result: float | CellFailure | None = None


class Cost(msgspec.Struct, frozen=True):
    """The cost of a run: CPU seconds, and calls of objects in the referee."""

    cpu_seconds: float = 0.0
    calls: int = 0


class CheckResult(msgspec.Struct):
    """The result of one check; the fields are those of the JSON report."""

    id: str
    cell: str
    title: str
    verdict: Verdict
    points: float
    max_points: float
    message: str  #: what the student reads, with the hint
    hint: str = ""
    details: str = ""  #: the traceback of a check of ours that failed; never for students
    waits: str = ""  #: why a human has to decide about the mark, whatever the verdict
    cause: str = ""  #: the first cell that failed of those that what was asked for depends on

    @property
    def unwritten(self) -> bool:
        """Return whether the student has not begun what is checked."""
        return self.message == NOT_WRITTEN


class Misconception(msgspec.Struct):
    """A known mistake: the area, the rule, an example to try, and how such code behaves."""

    name: str
    behaves_like: str
    area: str
    principle: str
    example: str


class Example(msgspec.Struct):
    """An example of what a cell gets wrong: in words, as text and as a picture."""

    told: str
    text: str
    svg: str
    values: str = ""


class Explanation(msgspec.Struct):
    """The explanation for a student of a cell whose checks have failed.

    The `trouble` is the error in the referee that prevented it.
    """

    cell: str
    misconception: Misconception | None = None
    example: Example | None = None
    trouble: str = ""


class Judged(msgspec.Struct):
    """The results of a notebook's cells and checks, and explanations; a missing part is not judged.

    `runs` are the results of the cells, None if they were not run. `checks` has the results of each
    check, one for each set of its parameters; `explained` its cells with a wrong one. `isolation`
    names the layers around the student's code; `costs` are by check, with "" for the cells; `seen`
    has for each check its questions, and whether their answers were always plain data.
    """

    checks: dict[str, list[CheckResult]] = {}
    runs: list[CellRun] | None = None
    explained: dict[str, Explanation] = {}
    isolation: list[str] = []
    costs: dict[str, Cost] = {}
    seen: dict[str, dict[str, bool]] = {}

    @property
    def results(self) -> list[CheckResult]:
        """Return the results of all checks."""
        return [result for results in self.checks.values() for result in results]

    @property
    def unexplained(self) -> list[str]:
        """Return the cells with a wrong check and no explanation yet."""
        wrong = dict.fromkeys(one.cell for one in self.results if one.verdict is Verdict.WRONG)
        return [cell for cell in wrong if cell not in self.explained]


class CellMark(msgspec.Struct):
    """The mark of one graded cell; `score` is None while a human has to decide."""

    grade_id: str
    cell: str
    score: float | None
    max_score: float
    needs_manual_grade: bool


class Report(msgspec.Struct):
    """Everything decided about a notebook; the scores count the automatically graded cells."""

    assignment: str
    score: float
    max_score: float
    cells: list[CellMark]
    checks: list[CheckResult]
    repairs: list[str]
    failures: list[str]  #: errors of cells
    explanations: list[Explanation]
    trouble: list[str]  #: what could not be explained to the student
    isolation: list[str]
    costs: dict[str, Cost]
    refused: str | None = None

    @property
    def settled(self) -> bool:
        """Return whether another run would give the same: no accident, no error of the referee."""
        return not self.ours and not any(check.verdict.accident for check in self.checks)

    @property
    def perfect(self) -> bool:
        """Return whether every automatically graded cell has full marks."""
        return self.score == self.max_score

    @property
    def scores(self) -> dict[str, float | None]:
        """Return the mark of each graded cell, None where a human has to decide."""
        return {mark.grade_id: mark.score for mark in self.cells}

    @property
    def waits(self) -> dict[str, str]:
        """Return by graded cell why a check leaves its mark to a human."""
        whys = {check.cell: check.waits for check in self.checks if check.waits}
        return {mark.grade_id: whys[mark.cell] for mark in self.cells if mark.cell in whys}

    @property
    def ours(self) -> list[str]:
        """Return the failures of the referee: checks, at most three of them, and explanations."""
        checks = [f"{one.id} ({one.verdict})" for one in self.checks if one.verdict.open]
        more = [f"and {counted(len(checks) - 3, 'more check')}"] if len(checks) > 3 else []
        return [*checks[:3], *more, *self.trouble]


class Original(msgspec.Struct, frozen=True):
    """A cell as saved in the gradebook, with hidden parts; no source if students edit it."""

    checksum: str
    source: str | None


class Record(msgspec.Struct):
    """A student's result as it was entered: the marks, on what, by which course, and when.

    `submission` is the digest of the files handed in, `course` that of the course, `basis` that of
    all that decided how it was entered; `answers` has a digest of the answer for each graded cell,
    `unanswered` the solution cells that are as released; `until` is the student's extension;
    `notebook` the digest of the autograded one, if it was written.
    """

    student: str
    submission: str
    course: str
    basis: str
    when: str
    cells: list[Cell]
    report: Report
    timestamp: str | None = None
    seconds_late: float = 0.0
    limits: Limits = Limits()
    answers: dict[str, str] = {}
    unanswered: set[str] = set()
    until: str = ""
    notebook: str = ""


class Reference(msgspec.Struct, frozen=True):
    """The results of the checks on the instructor's notebook.

    `data` are the questions that it answers with plain data only: there a student's object is a
    wrong answer. `suspended` has the checks that it does not pass, each with the reason: they count
    for nobody.
    """

    data: tuple[str, ...] = ()
    suspended: dict[str, str] = {}


class Remote(msgspec.Struct, frozen=True):
    """A type, as `module:Name`, whose objects stay in the referee when a check sends them.

    The player gets an object of the same type; each use of its `methods` and `attributes` is a
    request, and is counted. The answer of a `source` method comes with the results of the `facts`
    methods for it: the first call of each is answered in the player, and is not counted.
    """

    type: str
    methods: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


class Subject(msgspec.Struct, frozen=True):
    """The engine's settings for a course's subject; any notebook can be graded without one.

    `library` are the files of the course's folder that student code imports, `records` their named
    tuples, as `module:Name`, that cross the pipe as values. `explain(assignment, cell, student)`
    explains a wrong check: `student` gives a new copy of the submission as a context manager, and
    None means that there is nothing to show. `refusal(name, args, settings, call)` says in a
    sentence what student code has asked a function of a check that has no answer to it: the name by
    which it got the function, the arguments, what else it got by name, and the arguments of the
    call that the check was waiting for. `packages` are the installed packages that student
    code may import, as in a file of requirements. `calls(assignment, chance)` gives calls of what
    students write, as Python expressions in names of the notebook, that questions on their code are
    made of; they are drawn anew for each student.
    """

    library: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    remotes: tuple[Remote, ...] = ()
    explain: Callable[[str, str, Callable[[], Any]], Explanation | None] | None = None
    refusal: Callable[[str, list[Any], dict[str, Any], tuple[Any, ...]], str] | None = None
    calls: Callable[[str, random.Random], list[str]] | None = None
    packages: tuple[str, ...] = ()


def counted(number: float, what: str) -> str:
    """Return a number of things in words, such as 1 student, 2.5 points."""
    return f"{number:g} {what}{'s' * (number != 1)}"


def type_called(name: str) -> type:
    """Return the type with the name `module:Name`; TypeError if it is no type."""
    module, _, attribute = name.partition(":")
    kind = getattr(importlib.import_module(module), attribute)
    if not isinstance(kind, type):
        raise TypeError(f"{name} is no type")
    return kind
