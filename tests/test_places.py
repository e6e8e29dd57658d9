"""Does what people begin with elsewhere work: an editor's container, a citation, a hook, Colab?"""

import json
import re
import shutil
import tomllib
from importlib import metadata
from pathlib import Path

import lite
import pytest
from commands import typed
from formgrading import served
from packaging.requirements import Requirement
from solution import sources

ROOT = Path(__file__).parents[1]


def test_the_container_of_students_installs_what_each_release_asks_for(tmp_path: Path) -> None:
    """Is it among what students get, and does its command install there and find each list?"""
    for name in ("release", ".devcontainer"):  # as docs/changing.md publishes them
        shutil.copytree(ROOT / name, tmp_path / name)
    settings = json.loads((tmp_path / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "pip").write_text('#!/bin/sh\ntest -s "$3" && echo "$1 $2 $3"\n')
    (programs / "pip").chmod(0o755)
    said = typed(tmp_path, f"PATH={programs}:$PATH\n{settings['postCreateCommand']}")
    releases = sorted((ROOT / "release").iterdir())
    assert said.splitlines() == [
        f"install -r release/{one.name}/requirements.txt" for one in releases
    ]


def test_the_cell_for_colab_brings_what_the_checks_need(tmp_path: Path) -> None:
    """Do checks of a right class pass in a folder with nothing else, from a site like ours?"""
    text = (ROOT / "docs" / "try.md").read_text("utf-8")
    [cell] = re.findall(r"(?ms)^```python\n(.*?)^```$", text)
    site, work = tmp_path / "site" / "lite", tmp_path / "work"
    work.mkdir()
    site.mkdir(parents=True)
    lite.pack(ROOT / "release/tic-tac-toe", site / "tic-tac-toe.zip")
    with served(site.parent) as address:
        here = cell.replace("https://<this site>", address[:-1])
        program = work / "cells.txt"
        program.write_text(
            "\n".join([here, *sources()[:3], "check('TicTacToe')\ncheck('MiniMax')"])
        )
        said = typed(work, f"python {program.name}")
    assert len(re.findall(r"(\d+) of \1 public checks pass\.", said)) == 2
    assert "hand in" not in said  # there is no file to compare with


@pytest.mark.proof
def test_the_hook_judges_an_assignment_before_a_commit(tmp_path: Path) -> None:
    """Does pre-commit run it where its files changed, and stop a commit of a wrong check?"""
    course, hooks = tmp_path / "course", tmp_path / "hooks"
    course.mkdir()
    hooks.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
    commit = "git -c user.name=a -c user.email=a@example.org commit -qm a"
    typed(course, "referee new stats; git init -q; git add -A")
    said = typed(hooks, f"git init -q; git add -A; {commit}; git rev-parse HEAD")
    hook = f"""repos:
  - repo: {hooks}
    rev: {said.split()[-1]}
    hooks:
      - id: referee-audit
        args: [stats]
"""
    (course / ".pre-commit-config.yaml").write_text(hook)
    run = "pre-commit run --all-files"
    assert "Passed" in typed(course, run)
    [check] = (course / "tests" / "hidden" / "stats").glob("test_*.py")
    check.write_text(check.read_text("utf-8").replace("assert ", "assert not "))
    assert "Failed" in typed(course, run, status=1)


# --- lists of packages: grading, developing, students ------------------------------------------

NEEDED = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
PINNED = re.compile(r"(?m)^([\w.-]+)==([^\s;]+)")


def locked(name: str) -> dict[str, set[str]]:
    """Return the versions of each package that a file names; Pythons may differ in them."""
    found: dict[str, set[str]] = {}
    for package, version in PINNED.findall((ROOT / name).read_text()):
        found.setdefault(package, set()).add(version)
    return found


GRADING, DEVELOPING = locked("engine/referee/requirements.txt"), locked("tests/requirements.txt")


def test_nothing_of_the_agpl_is_needed_to_grade() -> None:
    """Does no package say so in what it tells about itself? One of the tests' own does."""

    def says_so(name: str) -> bool:
        try:
            about = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            return False  # for another system
        fields = ("License", "License-Expression", "Classifier")
        said = " ".join(text for field in fields for text in about.get_all(field) or [])
        return "AGPL" in said or "Affero" in said

    assert [name for name in GRADING if says_so(name)] == []
    assert [name for name in DEVELOPING if says_so(name)] == ["bitbully"]


def test_what_is_tested_is_what_grades_and_what_students_install() -> None:
    """Has it the versions of what grades, and what pyproject.toml and students ask for?"""
    assert len(GRADING) > 50
    assert {name: DEVELOPING.get(name) for name in GRADING} == GRADING
    lines = (ROOT / "source/requirements.txt").read_text().splitlines()
    wanted = [line for line in lines if not line.startswith("#")]
    assert wanted == [one for one in NEEDED if one != "referee"]
    for requirement in map(Requirement, wanted):
        assert all(map(requirement.specifier.contains, DEVELOPING[requirement.name]))
