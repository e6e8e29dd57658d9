"""Grade into a PostgreSQL server, started for the tests: are the rows as in SQLite?"""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import small_course as small
from formgrading import rows, run
from small_course import NAME


def program(name: str) -> str:
    """Return where a program of the server is; Debian keeps it off the path."""
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = shutil.which(name) or (str(places[-1]) if places else None)
    if found is None:
        told = f"{name} is missing: apt-get install postgresql, or `make postgres`"
        pytest.fail(told) if "CI" in os.environ else pytest.skip(told)
    return found


@pytest.fixture
def server() -> Iterator[str]:
    """Give the URL of an empty database, on a server on this machine, for this test alone."""
    with tempfile.TemporaryDirectory(prefix="postgres-") as home, socket.socket() as free:
        user: dict[str, Any] = {"user": "nobody", "group": "nogroup"} if os.getuid() == 0 else {}
        if user:  # the server does not run as root
            shutil.chown(home, **user)
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        make = program("initdb"), "-D", f"{home}/data", "-U", "course", "--auth=trust", "-E", "UTF8"
        subprocess.run(make, check=True, capture_output=True, cwd=home, **user)
        free.close()
        command = [
            program("postgres"), "-D", f"{home}/data", "-p", str(port), "-h", "127.0.0.1",
            "-k", home, "-c", "fsync=off",
        ]  # fmt: skip
        ask = [program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
        with (
            Path(home, "log").open("wb") as log,
            subprocess.Popen(command, cwd=home, stdout=log, stderr=log, **user) as running,
        ):
            while subprocess.run(ask, check=False).returncode:
                assert running.poll() is None, Path(home, "log").read_text()
            try:
                yield f"postgresql+pg8000://course@127.0.0.1:{port}/postgres"
            finally:
                running.terminate()


def test_postgres_holds_the_rows_that_sqlite_holds(tmp_path: Path, server: str) -> None:
    """Do both doors, feedback and export work on the other database, with the same marks?"""
    root = small.make(tmp_path)
    small.hand_in(root, "ada")
    small.hand_in(root, "bob", double="def double(n):\n    return abs(2 * n)")
    small.hand_in(root, "eve", b"{")
    small.grade(root, status=1)
    expected = rows(root, NAME)
    cells = "test_double", "test_square"
    assert {who: [mine[name][0] for name in cells] for who, mine in expected.items()} == {
        "ada": [6, 4], "bob": [3, 4], "eve": [0, 0],
    }  # fmt: skip
    config = root / "nbgrader_config.py"
    config.write_text(f"{config.read_text()}\nc.CourseDirectory.db_url = {server!r}\n")
    run(root, "nbgrader", "generate_assignment", NAME, "--create", "--force")
    assert "the gradebook has no marks any more" in small.grade(root, status=2)
    small.grade(root, "--accept-removed", status=1)
    assert rows(root, NAME, server) == expected
    run(root, "nbgrader", "autograde", NAME, "--force")
    assert rows(root, NAME, server) == expected
    small.grade(root, status=1)
    run(root, "nbgrader", "generate_feedback", NAME)
    assert len(list((root / "feedback").rglob("*.html"))) == 3
    run(root, "nbgrader", "export", "--to", "grades.csv")
    assert (root / "grades.csv").read_text().count(NAME) == 3
