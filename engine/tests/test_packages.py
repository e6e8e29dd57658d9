"""Is what is built whole, by its metadata and in an environment that holds nothing else?"""

import email
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from commands import BIN

from referee.marks import entries

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


def done(place: Path, *command: str | Path, status: int = 0, **variables: str | Path) -> str:
    """Return what a command says in a folder, by an environment of its own.

    The programs beside it, and those of the tests, are found.
    """
    kept = {name: value for name, value in os.environ.items() if name not in OURS}
    path = [str(Path(command[0]).parent), str(BIN), kept["PATH"]]
    kept |= {"COLUMNS": "200", "PATH": os.pathsep.join(path)}
    kept |= {name: str(value) for name, value in variables.items()}
    ended = subprocess.run(
        list(map(str, command)), cwd=place, env=kept, capture_output=True, text=True, check=False
    )
    assert ended.returncode == status, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that a package is built from."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "LICENSE", "README.md"):
        shutil.copy(PROJECT / name, source)
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PROJECT / "referee", source / "referee", ignore=unwanted)
    return source


@pytest.fixture(scope="module")
def built(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that is made from that."""
    place = tmp_path_factory.mktemp("built")
    done(source, uv(), "build", "--out-dir", place)
    return place


WHERE = """
import importlib.util, referee
print(referee.__file__, *map(importlib.util.find_spec, ("cells", "nim", "piles")))
"""


@pytest.fixture(scope="module")
def alone(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment with the built wheel, and nothing else of this checkout.

    A .pth leads to the other packages, those of the environment that runs the tests; what lies
    there of an editable install is not followed.
    """
    place = tmp_path_factory.mktemp("alone")
    done(place, sys.executable, "-m", "venv", "--without-pip", place)
    packages = sysconfig.get_path("purelib", vars={"base": str(place)})
    Path(packages, "others.pth").write_text(sysconfig.get_path("purelib"))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    none = ["--no-deps", "--no-index"]
    done(place, *pip, "wheel", *none, "--no-build-isolation", f"-w{place}", source)
    [wheel] = place.glob("referee-*.whl")
    done(place, *pip, f"--python={place}/bin/python", "install", *none, wheel)
    said = done(place, place / "bin/python", "-Pc", WHERE)
    assert said.split() == [f"{packages}/referee/__init__.py", "None", "None", "None"]
    return place / "bin"


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


@pytest.mark.proof
def test_the_wheel_alone_leads_from_an_empty_folder_to_explained_marks(
    alone: Path, tmp_path: Path
) -> None:
    """Does it say there how to begin, write an assignment that is right, and grade a class?"""
    referee = alone / "referee"
    said = done(tmp_path, referee, "grade", "a", status=2)
    assert "no course found" in said and "`referee new NAME` makes one" in said
    done(tmp_path, referee, "new", "a")
    assert "mutants are caught" in done(tmp_path, referee, "audit", "a")
    for student, kind in (("ann", "source"), ("bob", "release")):
        (tmp_path / "submitted" / student / "a").mkdir(parents=True)
        shutil.copy(tmp_path / kind / "a" / "a.ipynb", tmp_path / "submitted" / student / "a")
    assert "2 entered" in done(tmp_path, referee, "grade", "a", "--workers", "1")
    results = entries.get(tmp_path, "a")
    assert {student: one.report.score for student, one in results.items()} == {"ann": 3, "bob": 0}
    assert "3 of 3" in done(tmp_path, referee, "why", "ann", "a")


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
