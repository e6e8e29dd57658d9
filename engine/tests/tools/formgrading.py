"""Run nbgrader's commands and its formgrader on a course."""

import atexit
import functools
import shutil
import socket
import subprocess
import tempfile
import urllib.request
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import commands


def run(root: Path, *command: str, status: int = 0) -> str:
    """Run a command of the environment in the course folder; return what it printed."""
    done = commands.run(root, *command)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


@functools.cache
def released(course: Path, assignment: str) -> Path:
    """Return a course with its release and a gradebook, made once in this process; copy it."""
    root = Path(tempfile.mkdtemp(prefix="course-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    unwanted = shutil.ignore_patterns(".referee", "__pycache__", "gradebook.db*")
    shutil.copytree(course, root, dirs_exist_ok=True, ignore=unwanted)
    run(root, "nbgrader", "generate_assignment", assignment, "--create", "--force")
    return root


def rows(root: Path, assignment: str, url: str = "") -> dict[str, dict[str, tuple[Any, ...]]]:
    """Return the automatic score, the one by hand and the flag of each cell of each student."""
    from nbgrader.api import Gradebook  # which takes long to load

    def cells(submission: Any) -> dict[str, tuple[Any, ...]]:
        grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
        fields = "name", "auto_score", "manual_score", "needs_manual_grade"
        values = ([getattr(grade, field) for field in fields] for grade in grades)
        return {name: (auto, by_hand, bool(flag)) for name, auto, by_hand, flag in values}

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Gradebook(url or f"sqlite:///{root}/gradebook.db") as gradebook:
            submissions = gradebook.assignment_submissions(assignment)
            return {one.student.id: cells(one) for one in submissions}


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the files of a folder on this machine; yield the address."""
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


@contextmanager
def formgrader(root: Path) -> Iterator[str]:
    """Serve a course on this machine; yield the address of its formgrader."""
    with lab(root) as address:
        yield f"{address}/formgrader"


@contextmanager
def lab(root: Path) -> Iterator[str]:
    """Serve a folder with JupyterLab on this machine; yield the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = root / "home"
    news = home / "settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
    news.parent.mkdir(parents=True, exist_ok=True)  # it may be served again
    news.write_text('{"fetchNews": "false", "checkForUpdates": false}')  # no question at the start
    command = [
        str(commands.BIN / "jupyter"), "lab", "--no-browser", "--allow-root", "--ip=127.0.0.1",
        f"--port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=",
        "--ServerApp.password=", "--ServerApp.terminals_enabled=False",
    ]  # fmt: skip
    places = {
        "HOME": home, "IPYTHONDIR": home, "JUPYTERLAB_SETTINGS_DIR": home / "settings",
        "JUPYTER_CONFIG_DIR": home, "JUPYTER_DATA_DIR": home, "JUPYTER_RUNTIME_DIR": home,
    }  # fmt: skip
    with (root / "server.log").open("wb") as log:
        server = subprocess.Popen(
            command,
            cwd=root,
            env=commands.environment() | {name: str(place) for name, place in places.items()},
            stdout=log,
            stderr=log,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            while server.poll() is None:
                try:
                    get(f"{address}/api/status")
                    break
                except OSError:
                    continue
            assert server.poll() is None, (root / "server.log").read_text()
            yield address
        finally:
            server.terminate()
            server.wait()


def get(address: str) -> str:
    """Fetch a page; an error status raises."""
    with urllib.request.urlopen(address) as answer:
        return str(answer.read().decode("utf-8"))
