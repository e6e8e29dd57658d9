"""Ask whether instructors read which rule has refused something, and students nothing of it."""

import json
from pathlib import Path

import small_course as small
from classes import Class
from formgrading import run
from notebooks import own

from referee.judging import denials

CELLS = {
    "import pandas": "pandas is installed, but not among c.Course.packages",
    "from yaml import dump": "yaml (PyYAML) is installed, but not among c.Course.packages",
    "import not_there": "not_there is not installed here",
    "from google.colab import drive": "google.colab is there in Colab only",
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
    return json.dumps(notebook | {"cells": [*map(own, sources), *notebook["cells"]]})


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
        small.hand_in(root, student, with_cells(source).encode())
    said = run(root, "referee", "grade", small.NAME)
    assert "yaml (PyYAML) is installed, but not among c.Course.packages" in said
    assert "These import it: ada." in said
    assert "helper" not in said
    marked = (root / "autograded" / "ada" / small.NAME / "numbers.ipynb").read_text()
    assert "No module named" in marked and "c.Course.packages" not in marked
    with (root / "nbgrader_config.py").open("a") as settings:  # as it says
        settings.write("\nc.Course.packages = ['PyYAML']\n")
    said = run(root, "referee", "grade", small.NAME)
    assert "c.Course.packages" not in said


def test_what_the_machine_lacks_is_no_fault_of_ours(two: Class) -> None:
    """Is the package named that the instructor's notebook needs, and what to do about it?"""
    head = "def double(n):"
    two.replace("source/numbers/numbers.ipynb", head, rf"import no_such_package\n{head}")
    said = two.grade(status=1)
    assert "no_such_package is not installed here; install it with pip" in said
    assert "grade again" in said and "something of ours" not in said


def test_other_errors_are_as_they_were() -> None:
    """Is nothing added to an error that comes from no rule?"""
    for text in ("ZeroDivisionError: division by zero", "[Errno 2] no quotes", "No module named x"):
        assert denials.named(text) == text
    assert denials.named("No module named 'pandas.nothing'") == "No module named 'pandas.nothing'"
