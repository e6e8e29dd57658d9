"""Does what people begin with elsewhere work: an editor's container, a citation, a hook, Colab?"""

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from referee.doors import publish

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent


def done(folder: Path, *command: str, status: int = 0, path: Path = BIN) -> str:
    """Return what a command says, in a folder, with other programs found first."""
    ended = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False,
        env=os.environ | {"PATH": f"{path}{os.pathsep}{os.environ['PATH']}"},
    )  # fmt: skip
    assert ended.returncode == status, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def test_the_citation_names_the_version_of_the_changelog() -> None:
    """Are version and date those of the newest notes, for the course and the engine?"""
    cited = dict(re.findall(r"(?m)^([\w-]+): (.+)$", (ROOT / "CITATION.cff").read_text("utf-8")))
    notes = (ROOT / "engine" / "docs" / "changelog.md").read_text("utf-8")
    newest = re.search(r"(?m)^## (\S+), (\S+)$", notes)
    assert newest and newest.groups() == (cited["version"], cited["date-released"])
    for file in (ROOT / "pyproject.toml", ROOT / "engine" / "pyproject.toml"):
        assert tomllib.loads(file.read_text("utf-8"))["project"]["version"] == cited["version"]


def test_the_container_of_students_installs_what_each_release_asks_for(tmp_path: Path) -> None:
    """Is it among what students get, and does its command install there and find each list?"""
    for name, content in publish.public(ROOT).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    settings = json.loads((tmp_path / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "pip").write_text('#!/bin/sh\ntest -s "$3" && echo "$1 $2 $3"\n')
    (programs / "pip").chmod(0o755)
    said = done(tmp_path, "sh", "-ec", settings["postCreateCommand"], path=programs)
    releases = sorted((ROOT / "release").iterdir())
    assert said.splitlines() == [
        f"install -r release/{one.name}/requirements.txt" for one in releases
    ]


def test_the_cell_for_colab_brings_what_the_checks_need(tmp_path: Path) -> None:
    """Do check and games work beside a notebook that has nothing else, from a site like ours?"""
    text = (ROOT / "docs" / "try.md").read_text("utf-8")
    [cell] = re.findall(r"(?ms)^```python\n(.*?)^```$", text)
    site, work = tmp_path / "site" / "lite", tmp_path / "work"
    shutil.copytree(ROOT / "release", site / "files")  # as JupyterLite puts them
    work.mkdir()
    serve = functools.partial(SimpleHTTPRequestHandler, directory=str(site.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        Thread(target=server.serve_forever).start()
        here = cell.replace("https://<this site>", f"http://127.0.0.1:{server.server_port}")
        try:
            asked = f"{here}\nfrom check import check\nfrom games import TreeGame\nprint(check)"
            assert "function check" in done(work, sys.executable, "-c", asked)
        finally:
            server.shutdown()


@pytest.mark.proof
def test_the_hook_judges_an_assignment_before_a_commit(tmp_path: Path) -> None:
    """Does pre-commit run it where its files changed, and stop a commit of a wrong check?"""
    course, hooks = tmp_path / "course", tmp_path / "hooks"
    course.mkdir()
    hooks.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
    done(course, "referee", "new", "stats")
    for folder in (hooks, course):
        done(folder, "git", "init", "-q")
        done(folder, "git", "add", "-A")
    commit = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "a"]
    done(hooks, *commit)
    hook = f"""repos:
  - repo: {hooks}
    rev: {done(hooks, "git", "rev-parse", "HEAD").strip()}
    hooks:
      - id: referee-dev
        args: [stats]
"""
    (course / ".pre-commit-config.yaml").write_text(hook)
    run = ["pre-commit", "run", "--all-files"]
    assert "Passed" in done(course, *run)
    [check] = (course / "tests" / "hidden" / "stats").glob("test_*.py")
    check.write_text(check.read_text("utf-8").replace("assert ", "assert not "))
    assert "Failed" in done(course, *run, status=1)
