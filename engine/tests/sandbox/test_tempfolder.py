"""What a grader keeps for a while is its own, and is gone when it is, even if it was killed."""

import fcntl
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from referee.sandbox.outside import tempfolder

HOLDER = """
import sys
from referee.sandbox.outside import tempfolder
folder = tempfolder.Folder("referee-test-")
(__import__("pathlib").Path(folder.name) / "secret").write_text("the answer")
print(folder.name, flush=True)
sys.stdin.read()
"""


def holder() -> tuple["subprocess.Popen[str]", Path]:
    """Start a process that has a folder; return both."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_what_a_dead_process_has_left_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Does the next one remove it, and nothing of those that live, or of others?"""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    dead, left = holder()
    living, there = holder()
    with dead, living:
        dead.send_signal(signal.SIGKILL)
        dead.wait()
        foreign = tmp_path / "referee-test-of-somebody"
        foreign.mkdir()
        (tmp_path / "referee-test-link").symlink_to(foreign)
        assert left.exists()
        with tempfolder.Folder("referee-test-") as name:
            assert not left.exists()
            assert there.exists() and foreign.exists()
            assert Path(name).stat().st_mode & 0o777 == 0o700
        living.communicate()
    assert not there.exists() and not Path(name).exists()


def test_a_folder_that_is_being_made_is_not_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Is it still there if another process sweeps when its lock is made and not yet held?"""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    lock = fcntl.flock

    def late(descriptor: int, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", lock)
        tempfolder.sweep("referee-test-")
        lock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with tempfolder.Folder("referee-test-") as name:
        tempfolder.sweep("referee-test-")
        assert (Path(name) / tempfolder.LOCK).exists()


def test_another_s_folder_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is what belongs to another user not touched, though nobody holds it?"""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    other = tmp_path / "referee-test-other"
    other.mkdir()
    (other / tempfolder.LOCK).touch()
    monkeypatch.setattr(os, "getuid", lambda: 4711)
    tempfolder.sweep("referee-test-")
    assert other.exists()
    monkeypatch.undo()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    tempfolder.sweep("referee-test-")
    assert not other.exists()
