"""Name what the product talks about: limits, cells, checks, verdicts, marks, reports, records.

Little more than types: they hold data, and sums of it that need nothing else. The player knows
this module, too, so nothing of a course may stand here.
"""

import importlib
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

TRIES = 3  # at a cell or a check, where an accident has happened
NOT_WRITTEN = "Not written yet: the code still raises NotImplementedError."


Seconds: TypeAlias = Annotated[float, msgspec.Meta(gt=0, le=1e9)]
Count: TypeAlias = Annotated[int, msgspec.Meta(gt=0)]
Kind: TypeAlias = Literal["stdout", "stderr", "display_data", "execute_result", "error"]


class Verdict(StrEnum):
    """What became of a check."""

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
    UNCLEAR = "unclear"  # perhaps the machine's fault: never scored as zero
    REFEREE_ERROR = "referee-error"  # ours: the same

    @property
    def lost(self) -> bool:
        """Return whether it is the submission's own fault that the check did not pass."""
        return self not in (Verdict.PASS, Verdict.NOT_RUN) and not self.open

    @property
    def open(self) -> bool:
        """Return whether a human has to decide, since it may not be the submission's fault."""
        return self in (Verdict.UNCLEAR, Verdict.REFEREE_ERROR)

    @property
    def accident(self) -> bool:
        """Return whether the same may end otherwise next time: it is asked again, never kept."""
        return self in (Verdict.UNCLEAR, Verdict.KILLED)

    @property
    def odd(self) -> bool:
        """Return whether it has to happen several times in a row to be believed."""
        return self.accident or self is Verdict.IDLE

    @property
    def usual(self) -> bool:
        """Return whether honest work that runs may end so: nobody need look at it."""
        return self in (Verdict.PASS, Verdict.WRONG, Verdict.NOT_RUN)

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
    """What a submission may use; a course sets them as `c.Limits.NAME` in `nbgrader_config.py`.

    CPU seconds decide; wall seconds are the net below them, for code that sleeps: they only count
    while it does nothing although it could. Those of the submission are for all its cells, and as
    many again for all its checks. `check_calls` counts the calls of objects that live in the
    referee. `unsafe` lets code run where nothing keeps it from the files of the machine.
    """

    cell_cpu_seconds: Seconds = 30.0
    cell_wall_seconds: Seconds = 60.0
    check_cpu_seconds: Seconds = 20.0
    check_wall_seconds: Seconds = 30.0
    submission_cpu_seconds: Seconds = 600.0
    submission_wall_seconds: Seconds = 120.0
    check_calls: Count = 100_000
    memory_bytes: Count = 2 * 1024**3
    submission_memory_bytes: Count = 3 * 1024**3
    processes: Count = 100
    folder_bytes: Count = 64 * 1024**2
    output_characters: Count = 1024 * 1024
    unsafe: bool = False


class CellTest(msgspec.Struct, frozen=True):
    """The asserts of a test cell, hidden ones included, which are run in the student's process.

    `imports` are those of the released notebook, and `pinned` the names in the `source` that mean
    what they meant before student code ran: built-ins, and what is imported. `before` defines what
    the `source` uses of earlier test cells, whose hidden regions are gone.
    """

    name: str
    source: str
    points: float
    imports: str
    pinned: tuple[str, ...]
    before: str = ""


class Cell(msgspec.Struct, frozen=True, omit_defaults=True):
    """A code cell to run: its source, and the label that tracebacks show.

    A `test` is run before the cell, in a copy of the process; the source is then what students see
    of the test. `tries` marks a cell to try things out in, which gives no points.
    """

    source: str
    label: str
    test: CellTest | None = None
    tries: bool = False


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
    """What became of a cell: its outputs, and the error that ended it, if one did.

    `stopped` says why it was stopped from outside, if it was. The `result` of a test that has run
    is its points, or how it has failed.
    """

    outputs: list[Output] = []
    error: str | None = None
    stopped: Verdict | None = None
    result: float | CellFailure | None = None


class Cost(msgspec.Struct, frozen=True):
    """What something has used: seconds of computing, and calls of objects in the referee."""

    cpu_seconds: float = 0.0
    calls: int = 0


class CheckResult(msgspec.Struct):
    """What became of one check; the fields are those of the JSON report."""

    id: str
    cell: str
    title: str
    verdict: Verdict
    points: float
    max_points: float
    message: str
    hint: str = ""
    details: str = ""  # the traceback of a check of ours that failed; never for students

    @property
    def unwritten(self) -> bool:
        """Return whether the student has not begun what is checked."""
        return self.message == NOT_WRITTEN


class Misconception(msgspec.Struct):
    """A known mistake: where, what rule it breaks, an example to try; from vague to plain."""

    name: str
    behaves_like: str
    area: str
    principle: str
    example: str


class Example(msgspec.Struct):
    """Something that a cell gets wrong: told, drawn in two media, and what to compare."""

    told: str
    text: str
    svg: str
    values: str = ""


class Explanation(msgspec.Struct):
    """What a student gets to see about a cell whose checks have failed."""

    cell: str
    misconception: Misconception | None
    example: Example | None


class Explained(msgspec.Struct):
    """What explains a cell whose checks have failed, or which error of ours stood in the way."""

    explanation: Explanation | None = None
    trouble: str = ""


class Judged(msgspec.Struct):
    """What became of each check and of each cell that was run, and what explains it.

    `checks` has the results of each check, one for each set of its parameters; `explained` those
    of its cells that have a wrong one. A part that is not there was not judged yet; so, without
    `runs`, were the cells not run. `isolation` names the layers that the student's code was behind;
    `costs` says what the cells (as "") and each check have used; `transcripts` are what was said in
    those checks that were asked, or, where this is what is known, in those that are to be asked;
    `seen` is what each check has asked, and whether it was answered with plain data each time.
    """

    checks: dict[str, list[CheckResult]] = {}
    runs: list[CellRun] | None = None
    explained: dict[str, Explained] = {}
    isolation: list[str] = []
    costs: dict[str, Cost] = {}
    transcripts: dict[str, bytes] = {}
    seen: dict[str, dict[str, bool]] = {}

    @property
    def results(self) -> list[CheckResult]:
        """Return the results of all checks."""
        return [result for results in self.checks.values() for result in results]

    @property
    def unexplained(self) -> list[str]:
        """Return the cells of which a check is wrong and nothing explains it yet."""
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
    failures: list[str]
    explanations: list[Explanation]
    trouble: list[str]
    isolation: list[str]
    costs: dict[str, Cost]
    refused: str | None = None

    @property
    def settled(self) -> bool:
        """Return whether the same would come out another time: nothing of ours, no accident."""
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
    def ours(self) -> list[str]:
        """Return what has failed, perhaps on our side: checks, three of many, and explanations."""
        checks = [f"{one.id} ({one.verdict})" for one in self.checks if one.verdict.open]
        more = [f"and {len(checks) - 3} more checks"] if len(checks) > 3 else []
        return [*checks[:3], *more, *self.trouble]


class Original(msgspec.Struct, frozen=True):
    """A cell as the gradebook knows it, hidden parts included; no source where students write."""

    checksum: str
    source: str | None


class Outcome(msgspec.Struct, frozen=True):
    """A judged submission, ready to be entered.

    `work` is the digest that the `judged` parts of its `cells` are kept under; `unanswered` names
    the solution cells that are as released; `notebook` is the file to show; `answers` has a digest
    of what the mark of each graded cell is for.
    """

    work: str
    cells: list[Cell]
    judged: Judged
    report: Report
    unanswered: set[str]
    notebook: bytes
    answers: dict[str, str] = {}


class Record(msgspec.Struct):
    """A student's result as it was entered: the marks, on what, by which course, and when.

    `submission` is the digest of what was handed in, `course` that of the course, `basis` of all
    that decided how it was entered; `work` names what is kept of its `cells` and `limits`;
    `answers` has a digest of what the mark of each graded cell is for, `unanswered` the solution
    cells that are as released; `until` says how long the student had time, if longer than others;
    `notebook` is the digest of the autograded one, if it was written with the marks.
    """

    student: str
    submission: str
    course: str
    basis: str
    work: str
    when: str
    cells: list[Cell]
    report: Report
    timestamp: str | None = None
    seconds_late: float = 0.0
    limits: Limits = Limits()
    answers: dict[str, str] = {}
    unanswered: set[str] | None = None  # which records of earlier versions do not tell
    until: str = ""
    notebook: str = ""


class Reference(msgspec.Struct, frozen=True):
    """What came out when the instructor's own notebook was asked, before anybody else's.

    `data` names the questions that it answers with plain data, never with an object: there an
    object of a student's is none of what is asked for. `suspended` has the checks that it does not
    pass, each with the reason: they count for nobody.
    """

    data: tuple[str, ...] = ()
    suspended: dict[str, str] = {}


class Remote(msgspec.Struct, frozen=True):
    """A type, as `module:Name`, whose objects stay in the referee when a check hands them over.

    In the player stands an object of the same type in its place; what it asks of the `methods` and
    `attributes` crosses the pipe, and is counted. With an answer of a `source` travels what each of
    the `facts`, which are methods too, says of it: the first question about that is met in the
    player, and is not counted.
    """

    type: str
    methods: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


class Subject(msgspec.Struct, frozen=True):
    """What a course tells the engine about what it teaches; without one, any notebook is graded.

    `library` are the files of the course's folder that student code imports, `records` the named
    tuples of theirs, as `module:Name`, that cross the pipe as themselves. `explain(assignment,
    cell, student)` says what is behind a wrong check: `student` gives a fresh copy of the
    submission as a context manager, and None means that there is nothing to show. `packages` are
    what student code may import of what is installed, as in a file of requirements.
    """

    library: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    remotes: tuple[Remote, ...] = ()
    explain: Callable[[str, str, Callable[[], Any]], Explanation | None] | None = None
    packages: tuple[str, ...] = ()


def type_called(name: str) -> type:
    """Return the type that is called `module:Name`."""
    module, _, kind = name.partition(":")
    found = getattr(importlib.import_module(module), kind)
    if not isinstance(found, type):
        raise TypeError(f"{name} is no type")
    return found
