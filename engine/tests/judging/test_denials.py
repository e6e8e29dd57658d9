"""Ask whether instructors read which rule has refused something, and students nothing of it."""

import json
from pathlib import Path

import nbformat
import pytest
import small_course as small
from formgrading import run
from nbformat.v4 import new_code_cell

from referee.course import Course
from referee.judging import denials
from referee.marks import release

CELLS = {
    "import pandas": "pandas is installed, but not among c.Course.packages",
    "from yaml import dump": "yaml (PyYAML) is installed, but not among c.Course.packages",
    "import pandas.plotting as p": "pandas is installed, but not among c.Course.packages",
    "import not_there": "not_there is not installed here",
    "open('/etc/shadow')": "sees of this machine Python and its packages only",
    "open('/etc/new', 'w')": "writes into its folder",
    "open('/tmp/x', 'w')": "where tempfile does",
    "open('towns.csv')": "sees files that come with the release",
    "open('big', 'wb').write(bytes(80 * 2**20))": "c.Limits.folder_bytes",
    "import socket\nsocket.create_connection(('127.0.0.1', 9))": "has no network",
    "from urllib.request import urlopen\nurlopen('https://example.org')": "has no network",
    "x = bytearray(5 * 2**30)": "c.Limits.memory_bytes",
    "import threading, time\nfor _ in range(300):\n"
    "    threading.Thread(target=time.sleep, args=(0.3,)).start()": "c.Limits.processes",
}
FINE = [
    "import tempfile\ntempfile.TemporaryFile().close()",
    "import json",
    "open('x', 'w').close()",
]


def with_cells(*sources: str) -> str:
    """Return a solved notebook with cells of the student's own in front."""
    notebook = small.notebook(**small.SOLVED)
    own = [json.loads(json.dumps(new_code_cell(source))) for source in sources]
    return json.dumps(notebook | {"cells": [*own, *notebook["cells"]]})


def hand_in(root: Path, student: str, text: str) -> None:
    folder = root / "submitted" / student / small.NAME
    folder.mkdir(parents=True)
    (folder / f"{small.NAME}.ipynb").write_text(text)


def test_each_denial_names_its_rule(tmp_path: Path) -> None:
    """Is it in the sentence that an instructor reads, whatever was refused?"""
    root = small.make(tmp_path / "course")
    (root / "x.ipynb").write_text(with_cells(*FINE, *CELLS))
    said = run(root, "referee", "check", "x.ipynb", "--assignment", small.NAME)
    lines = [one for one in said.splitlines() if one.startswith("While the notebook ran")]
    for line, (source, rule) in zip(lines, CELLS.items(), strict=True):
        assert rule in line, source
    assert "No module named" not in said


def test_what_students_import_and_may_not_is_told_of_the_class(tmp_path: Path) -> None:
    """Does the instructor read who and what to do, and the student nothing of how we look?"""
    root = small.make(tmp_path / "course")
    for student, source in (("ada", "import yaml"), ("ben", "import helper"), ("kim", "1")):
        hand_in(root, student, with_cells(source))
    said = run(root, "referee", "grade", small.NAME)
    assert "yaml (PyYAML) is installed, but not among c.Course.packages" in said
    assert "and these import it: ada." in said
    assert "helper" not in said
    marked = (root / "autograded" / "ada" / small.NAME / "numbers.ipynb").read_text()
    assert "No module named" in marked and "c.Course.packages" not in marked
    with (root / "nbgrader_config.py").open("a") as settings:  # as it says
        settings.write("\nc.Course.packages = ['PyYAML']\n")
    said = run(root, "referee", "grade", small.NAME)
    assert "c.Course.packages" not in said


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("pandas", "pandas is installed, but not among c.Course.packages, and without it"),
        ("no_such_package", "no_such_package is not installed here, and without it"),
    ],
)
def test_what_the_machine_lacks_is_no_fault_of_ours(tmp_path: Path, module: str, said: str) -> None:
    """Is the package named that the instructor's notebook needs, and what to do about it?"""
    root = small.make(tmp_path / "course")
    source = root / "source" / small.NAME / f"{small.NAME}.ipynb"
    notebook = nbformat.read(source, as_version=4)
    notebook.cells.insert(0, new_code_cell(f"import {module} as m"))
    for cell in notebook.cells:
        cell.source = cell.source.replace("return 2 * n", "return 2 * n if m else n")
    nbformat.write(notebook, source)
    release.make(Course(root), small.NAME)
    hand_in(root, "ada", json.dumps(small.notebook(**small.SOLVED)))
    told = run(root, "referee", "grade", small.NAME, status=1)
    assert said in told and "grade again" in told
    assert "something of ours" not in told and "reference" not in told
    assert f"ada needs you: {said.partition(', and')[0]}" in told
    assert "tests need it" in told


def test_other_errors_are_as_they_were() -> None:
    """Is nothing added to an error that comes from no rule?"""
    for text in ("ZeroDivisionError: division by zero", "[Errno 2] no quotes", "No module named x"):
        assert denials.named(text) == text
    assert denials.named("No module named 'pandas.nothing'") == "No module named 'pandas.nothing'"
