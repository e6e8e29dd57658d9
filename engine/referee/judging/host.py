"""Own the submission that hidden checks talk to, and the results that they bring."""

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from referee import course, intake
from referee.model import CheckResult, Cost
from referee.sandbox.outside import student as submissions
from referee.sandbox.outside.student import Student
from referee.sandbox.outside.submission import Submission
from referee.sandbox.outside.zygote import Zygote


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
    def asked(
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
