"""Is what is built whole, by its metadata and in an environment that holds nothing else?"""

import email
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import adopted_course
import pytest
from formgrading import BIN

PROJECT = Path(__file__).parents[1]
README = PROJECT / "README.md"
METADATA = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
OURS = ("PYTHONPATH", "VIRTUAL_ENV")
FOLDER = "<this folder>"
INSTALLING = [
    line.strip()
    for line in README.read_text("utf-8").splitlines()
    if line.startswith("    ") and FOLDER in line
]


def uv() -> str:
    """Return where uv is."""
    found = shutil.which("uv", path=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        told = "uv is missing: pip install uv, or `make uv`"
        pytest.fail(told) if "CI" in os.environ else pytest.skip(told)
    return found


def done(place: Path, *command: str | Path, **variables: str | Path) -> str:
    """Return what a command says that ends well, in a folder, by an environment of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in OURS}
    kept |= {name: str(value) for name, value in variables.items()} | {"COLUMNS": "200"}
    ended = subprocess.run(
        list(map(str, command)), cwd=place, env=kept, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that is made from that."""
    source, place = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("built")
    for name in ("pyproject.toml", "LICENSE", "README.md"):
        shutil.copy(PROJECT / name, source)
    shutil.copytree(
        PROJECT / "referee", source / "referee", ignore=shutil.ignore_patterns("__pycache__")
    )
    done(source, uv(), "build", "--out-dir", place)
    return place


@pytest.fixture(scope="module")
def alone(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment with the wheel and what that asks for."""
    place = tmp_path_factory.mktemp("alone")
    [wheel] = built.glob("*.whl")
    done(place, uv(), "venv", "--python", sys.executable, place / "venv")
    done(place, uv(), "pip", "install", "--python", place / "venv/bin/python", wheel)
    return place / "venv" / "bin"


@pytest.mark.nightly
def test_what_is_built_says_what_it_is(built: Path) -> None:
    """Have wheel and sdist the readme, what an index shows, and each file of the package?"""
    [wheel], [sdist] = built.glob("*.whl"), built.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        [file] = [name for name in names if name.endswith(".dist-info/METADATA")]
        told = email.message_from_string(opened.read(file).decode())
    assert told["Name"] == METADATA["name"] and told["Version"] == METADATA["version"]
    assert told["Author"] and told["Keywords"] and told["License-Expression"] == "BSD-3-Clause"
    assert set(told.get_all("Classifier") or ()) == set(METADATA["classifiers"])
    assert told.get_payload() == README.read_text("utf-8")
    package = [file for file in (PROJECT / "referee").rglob("*") if file.is_file()]
    ours = {file.relative_to(PROJECT).as_posix() for file in package if file.suffix != ".pyc"}
    assert {name for name in names if name.startswith("referee/")} == ours
    with tarfile.open(sdist) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    assert ours | {"LICENSE", "README.md", "pyproject.toml"} <= inside


@pytest.mark.nightly
def test_the_wheel_alone_writes_grades_and_explains_an_assignment(
    alone: Path, tmp_path: Path
) -> None:
    """Do new, dev, grade and why lead from an empty folder to an explained mark?"""
    path = {"PATH": f"{alone}{os.pathsep}{os.environ['PATH']}"}
    done(tmp_path, alone / "referee", "new", "stats", **path)
    said = done(tmp_path, alone / "referee", "audit", "stats", **path)
    assert "mutants are caught" in said
    place = tmp_path / "submitted" / "ada" / "stats"
    place.mkdir(parents=True)
    shutil.copy(tmp_path / "source" / "stats" / "stats.ipynb", place)
    assert "1 entered" in done(tmp_path, alone / "referee", "grade", "stats", **path)
    assert "3 of 3" in done(tmp_path, alone / "referee", "why", "ada", "stats", **path)


@pytest.mark.nightly
def test_the_wheel_alone_adopts_a_course(alone: Path, tmp_path: Path) -> None:
    """Is a course of nbgrader's adopted and graded by it?"""
    path = {"PATH": f"{alone}{os.pathsep}{os.environ['PATH']}"}
    shutil.copytree(adopted_course.COURSE, tmp_path, dirs_exist_ok=True)
    done(tmp_path, alone / "nbgrader", "generate_assignment", "week1", "--create", **path)
    adopted_course.hand_in(tmp_path, "ada", {})
    done(tmp_path, alone / "referee", "adopt", "--yes", **path)
    assert "1 entered" in done(tmp_path, alone / "referee", "grade", "week1", **path)


@pytest.mark.nightly
@pytest.mark.parametrize("line", INSTALLING)
def test_the_readme_installs_as_it_says(built: Path, tmp_path: Path, line: str) -> None:
    """Does each line, for a folder, give a `referee` that says its version?"""
    homes = {"PIPX_HOME": tmp_path / "pipx", "PIPX_BIN_DIR": tmp_path, "PIPX_MAN_DIR": tmp_path}
    [sdist] = built.glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        packed.extractall(tmp_path, filter="data")
    [folder] = tmp_path.glob("referee-*")
    tool, *rest = line.replace(FOLDER, str(folder)).split()
    if tool == "pip":
        done(tmp_path, uv(), "venv", "--python", sys.executable, tmp_path / "own")
        done(tmp_path, uv(), "pip", *rest, "--python", tmp_path / "own/bin/python")
        said = done(tmp_path, tmp_path / "own/bin/referee", "--version")
    elif tool == "pipx":
        done(tmp_path, uv(), "tool", "run", "pipx", *rest, "--python", sys.executable, **homes)
        said = done(tmp_path, tmp_path / "referee", "--version")
    else:
        assert tool == "uvx"
        said = done(tmp_path, uv(), "tool", "run", "--python", sys.executable, *rest)
    assert f"referee {METADATA['version']}" in said.splitlines()


def test_each_version_has_its_notes_by_date() -> None:
    """Is the newest entry of the changelog that of this version, with a date?"""
    changelog = (PROJECT / "docs" / "changelog.md").read_text("utf-8")
    entries = re.findall(r"(?m)^## (\S+), (\d{4}-\d\d-\d\d)$", changelog)
    assert entries[0][0] == METADATA["version"]
    assert [when for _, when in entries] == sorted((when for _, when in entries), reverse=True)
