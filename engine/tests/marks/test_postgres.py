"""Grade into a PostgreSQL server, started for the tests: are the rows as in SQLite?"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import small_course as small
from formgrading import BIN, run
from nbgrader.api import Gradebook
from small_course import NAME
from sqlalchemy import create_engine, text

from referee import workers
from referee.course import find_assignment
from referee.doors import batch
from referee.judging import suspension
from referee.marks import gradebook
from referee.model import Limits

ROWS = (
    "SELECT submitted_assignment.student_id, base_cell.name, auto_score, manual_score, "
    "needs_manual_grade FROM grade "
    "JOIN base_cell ON grade.cell_id = base_cell.id "
    "JOIN submitted_notebook ON grade.notebook_id = submitted_notebook.id "
    "JOIN submitted_assignment ON submitted_notebook.assignment_id = submitted_assignment.id "
    "ORDER BY 1, 2"
)


def program(name: str) -> str:
    """Return where a program of the server is; Debian keeps it off the path."""
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = shutil.which(name) or (str(places[-1]) if places else None)
    if found is None:
        told = f"{name} is missing: apt-get install postgresql, or `make postgres`"
        pytest.fail(told) if "CI" in os.environ else pytest.skip(told)
    return found


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder outside pytest's own, into which no other user can look."""
    with tempfile.TemporaryDirectory(prefix="postgres-") as folder:
        yield Path(folder)


class Server:
    """A server on this machine with a database, which can be ended and started again."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.user = {"user": "nobody", "group": "nogroup"} if os.getuid() == 0 else {}
        if self.user:  # the server does not run as root
            shutil.chown(home, **self.user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"postgresql+pg8000://course@127.0.0.1:{self.port}/postgres"
        self.run("initdb", "-D", f"{home}/data", "-U", "course", "--auth=trust", "-E", "UTF8")

    def run(self, name: str, *options: str) -> None:
        subprocess.run(
            [program(name), *options], check=True, capture_output=True, cwd=self.home, **self.user
        )

    def start(self) -> None:
        """Start the server; return when it takes connections."""
        command = [
            program("postgres"), "-D", f"{self.home}/data", "-p", str(self.port),
            "-h", "127.0.0.1", "-k", str(self.home), "-c", "fsync=off",
        ]  # fmt: skip
        with (self.home / "log").open("wb") as log:
            self.running = subprocess.Popen(
                command, cwd=self.home, stdout=log, stderr=log, **self.user
            )
        ask = [program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        while subprocess.run(ask, check=False).returncode:
            assert self.running.poll() is None, (self.home / "log").read_text()

    def stop(self) -> None:
        """End the server, and all connections with it."""
        self.running.send_signal(signal.SIGINT)
        self.running.wait()

    def ask(self, question: str) -> list[tuple[object, ...]]:
        """Return the rows of an answer, or nothing."""
        engine = create_engine(self.url, isolation_level="AUTOCOMMIT")
        with engine.connect() as book:
            found = book.execute(text(question))
            answer = [tuple(row) for row in found] if found.returns_rows else []
        engine.dispose()
        return answer

    def cut(self) -> None:
        """Cut all connections to the database."""
        self.ask(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = 'postgres' AND pid <> pg_backend_pid()"
        )


@pytest.fixture
def machine(home: Path) -> Iterator[Server]:
    """Start a server on this machine with an empty database."""
    server = Server(home)
    server.start()
    try:
        yield server
    finally:
        server.running.terminate()
        server.running.wait()


@pytest.fixture
def server(machine: Server) -> str:
    """Give the URL of the database."""
    return machine.url


def rows(url: str) -> list[tuple[object, ...]]:
    engine = create_engine(url)
    with engine.connect() as book:
        found = [tuple(row) for row in book.execute(text(ROWS))]
    engine.dispose()
    return [(*row[:4], bool(row[4])) for row in found]


def test_postgres_holds_the_rows_that_sqlite_holds(tmp_path: Path, server: str) -> None:
    """Do both doors, feedback and export work on the other database, with the same marks?"""
    root = small.make(tmp_path)
    small.hand_in(root, "ada")
    small.hand_in(root, "bob", double="def double(n):\n    return abs(2 * n)")
    small.hand_in(root, "eve", b"{")
    small.grade(root, status=1)
    expected = rows(f"sqlite:///{root / 'gradebook.db'}")
    assert [row[2] for row in expected] == [6, 4, 3, 4, 0, 0]
    config = root / "nbgrader_config.py"
    config.write_text(f"{config.read_text()}\nc.CourseDirectory.db_url = {server!r}\n")
    run(root, "nbgrader", "generate_assignment", NAME, "--create", "--force")
    assert "the gradebook has no marks any more" in small.grade(root, status=2)
    small.grade(root, "--accept-removed", status=1)
    assert rows(server) == expected
    run(root, "nbgrader", "autograde", NAME, "--force")
    assert rows(server) == expected
    small.grade(root, status=1)
    run(root, "nbgrader", "generate_feedback", NAME)
    assert len(list((root / "feedback").rglob("*.html"))) == 3
    run(root, "nbgrader", "export", "--to", "grades.csv")
    assert (root / "grades.csv").read_text().count(NAME) == 3


# --- more than one grader, and a server that does not always answer ------------------------------


def cloned(root: Path, url: str) -> Path:
    """Make a course whose gradebook is at a URL, with the secret that all copies share."""
    small.make(root)
    config = root / "nbgrader_config.py"
    config.write_text(f"{config.read_text()}\nc.CourseDirectory.db_url = {url!r}\n")
    return root


@pytest.fixture
def course(tmp_path: Path, server: str) -> Path:
    """Make a course on the server, whose assignment the gradebook knows."""
    root = cloned(tmp_path / "course", server)
    run(root, "nbgrader", "generate_assignment", NAME, "--create", "--force")
    return root


def started(root: Path, *command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [BIN / command[0], *command[1:]], cwd=root, env=small.environment(), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def test_two_graders_who_meet_the_same_new_student_both_end_well(
    course: Path, machine: Server
) -> None:
    """Does the second wait for the first, whose rows it then finds, and is there one of each?"""
    later = ThreadPoolExecutor(1)

    def enter(mark: float) -> None:
        with gradebook.opened(machine.url) as book:
            gradebook.transact(book, lambda: put(book, mark))

    def put(book: Gradebook, mark: float, meanwhile: Callable[[], None] = lambda: None) -> None:
        with gradebook.entered(book, NAME, "ada", None) as row:
            meanwhile()
            gradebook.fill(row, {"test_double": mark, "test_square": mark}, set())

    def second() -> None:
        nonlocal other
        other = later.submit(enter, 2)
        while not machine.ask("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"):
            assert not other.done(), other.exception()

    other: Future[None] = Future()
    with gradebook.opened(machine.url) as book:
        gradebook.transact(book, lambda: put(book, 1, second))
    other.result()
    assert [row[:3] for row in rows(machine.url)] == [
        ("ada", "test_double", 2), ("ada", "test_square", 2)
    ]  # fmt: skip


def test_two_copies_grade_on_one_new_database(tmp_path: Path, machine: Server) -> None:
    """Do two graders on a database without tables end well, with each mark once?"""
    copies = [cloned(tmp_path / name, machine.url) for name in ("one", "two")]
    for root in copies:
        (root / "tests" / "hidden" / NAME / "seed.txt").write_text("the secret of both\n")
        for number in range(8):
            small.hand_in(root, f"s{number}", double=f"# {number}\n{small.SOLVED['double']}")
    opening = [started(root, "referee", "status") for root in copies]
    said = [one.communicate()[0] for one in opening]
    assert all("does not know numbers; " in one for one in said), said
    run(copies[0], "nbgrader", "generate_assignment", NAME, "--create", "--force")
    grading = [started(root, "referee", "grade", NAME, "--workers", "1") for root in copies]
    said = [one.communicate()[0] for one in grading]
    assert [one.returncode for one in grading] == [0, 0], said
    assert [row[2] for row in rows(machine.url)] == [6, 4] * 8


@pytest.mark.parametrize("trouble", ["cut", "restart"])
def test_a_server_that_goes_away_for_a_while_is_waited_for(
    course: Path, machine: Server, trouble: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Does the same gradebook write on after a cut, or a restart, without a word?"""

    def put(mark: float) -> Callable[[], None]:
        def write() -> None:
            with gradebook.entered(book, NAME, "ada", None) as row:
                gradebook.fill(row, {"test_double": mark, "test_square": mark}, set())

        return write

    with gradebook.opened(machine.url) as book:
        gradebook.transact(book, put(1))
        if trouble == "cut":
            machine.cut()
            gradebook.transact(book, put(2))
        else:
            machine.stop()
            with ThreadPoolExecutor(1) as later:
                writing = later.submit(gradebook.transact, book, put(2))
                machine.start()
                writing.result()
    assert [row[2] for row in rows(machine.url)] == [2, 2]
    assert "Traceback" not in capfd.readouterr().err


def test_a_connection_that_is_cut_in_a_transaction_writes_all_of_it(
    course: Path, machine: Server
) -> None:
    """Is a transaction done again, whole, that was cut after its first rows?"""
    cuts = iter([machine.cut])

    def write() -> None:
        with gradebook.entered(book, NAME, "ada", None) as row:
            next(cuts, lambda: None)()
            gradebook.fill(row, {"test_double": 1, "test_square": 1}, set())

    with gradebook.opened(machine.url) as book:
        gradebook.transact(book, write)
    assert [row[:3] for row in rows(machine.url)] == [
        ("ada", "test_double", 1), ("ada", "test_square", 1)
    ]  # fmt: skip


def test_no_transaction_is_open_while_somebody_is_judged(
    course: Path, machine: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Has the grader no transaction open when judging begins, nor after a result?"""
    for student in ("ada", "bob", "eve"):
        small.hand_in(course, student)
    open_ones: list[object] = []

    def look() -> None:
        said = "SELECT query FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'"
        open_ones.extend(machine.ask(said))

    def opened(*options: Any) -> Any:
        look()
        return pool(*options)

    pool = workers.opened
    monkeypatch.setattr(workers, "opened", opened)
    limits = Limits(unsafe=True)
    task = suspension.prepared(find_assignment(course, NAME), limits)
    for one in batch.grade(task, ["ada", "bob", "eve"], limits, batch.Options(1)):
        assert one.entered
        look()
    assert open_ones == []


def test_a_server_that_lets_nobody_in_is_said_at_once(course: Path, machine: Server) -> None:
    """Does an unknown database end in a line without advice about files, and a file with it?"""
    config = course / "nbgrader_config.py"
    config.write_text(config.read_text().replace("/postgres", "/other"))
    small.hand_in(course, "ada")
    begun = time.monotonic()
    said = " ".join(small.grade(course, status=2).split())
    assert time.monotonic() - begun < 30
    assert 'the gradebook cannot be used (database "other" does not exist)' in said
    assert "that its server runs" in said and "copy" not in said


@pytest.mark.parametrize(
    ("method", "user", "words"),
    [
        ("scram-sha-256", "course", "the server wants a password"),
        ("password", "course", "no password was provided"),
        ("scram-sha-256", "course:wrong", "password authentication failed"),
    ],
)
def test_a_password_that_is_wrong_or_missing_is_said_at_once(
    course: Path, machine: Server, method: str, user: str, words: str
) -> None:
    """Is it one line that names it, and not a wait for a server that is there?"""
    machine.ask("ALTER USER course PASSWORD 'right'")
    machine.stop()
    (machine.home / "data" / "pg_hba.conf").write_text(f"host all all all {method}\n")
    machine.start()
    config = course / "nbgrader_config.py"
    config.write_text(config.read_text().replace("//course@", f"//{user}@"))
    small.hand_in(course, "ada")
    begun = time.monotonic()
    said = " ".join(small.grade(course, status=2).split())
    assert time.monotonic() - begun < 30
    assert words in said and "Traceback" not in said


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("postgres://ada@localhost/x", "begins with postgres://, which is no kind of database"),
        ("oracel://ada@localhost/x", "on PostgreSQL begins with postgresql+pg8000://"),
        ("postgresql+pg8000://localhost/x", "the address names no user of the server: USER@host"),
    ],
)
def test_an_address_that_is_none_is_told(tmp_path: Path, address: str, words: str) -> None:
    """Is a slip in the address a line of its own, and no fault of ours or of a server?"""
    pytest.importorskip("pg8000")
    root = small.make(tmp_path / "course")
    config = root / "nbgrader_config.py"
    config.write_text(f"{config.read_text()}\nc.CourseDirectory.db_url = {address!r}\n")
    small.hand_in(root, "ada")
    said = " ".join(small.grade(root, status=2).split())
    assert words in said and "failed" not in said


def test_a_driver_that_is_missing_is_named(course: Path, machine: Server) -> None:
    """Does a line say what to install, and does the address that it names then work?"""
    config = course / "nbgrader_config.py"
    config.write_text(config.read_text().replace("postgresql+pg8000://", "postgresql://"))
    small.hand_in(course, "ada")
    for command in (["grade", NAME], ["status", NAME], ["return", NAME, "--for", "folder"]):
        said = " ".join(run(course, "referee", *command, status=2).split())
        assert "database needs psycopg" in said and "pip install pg8000" in said
    config.write_text(config.read_text().replace("postgresql://", "postgresql+pg8000://"))
    small.grade(course)
