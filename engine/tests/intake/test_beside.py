"""Ask what becomes of the files that a student hands in beside the notebook."""

import os
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from referee.intake import folder
from referee.intake.folder import HandedIn
from referee.intake.repair import Intake

CODE = "%run mine.ipynb\nimport helper\nopen('data/a b.csv')"
GIVEN = new_markdown_cell("Hand in nim.ipynb.", metadata={"nbgrader": {"locked": True}})
NOTEBOOK = Intake(new_notebook(cells=[new_code_cell(CODE), GIVEN]), [])


def test_small_files_are_read_and_nothing_else_is(tmp_path: Path) -> None:
    """Is no link followed, no device opened, nothing hidden taken, and the rest named?"""
    secret = tmp_path / "secret.txt"
    secret.write_bytes(b"secret")
    mine = tmp_path / "mine"
    for name in ("helper.py", "a/y.ipynb", ".git/config", "__pycache__/x.pyc", "lib/__init__.py"):
        (mine / name).parent.mkdir(parents=True, exist_ok=True)
        (mine / name).write_bytes(name.encode())
    (mine / "timestamp.txt").write_bytes(b"")
    (mine / "x.ipynb").write_bytes(b"")
    (mine / "link.txt").symlink_to(secret)
    (mine / "folder").symlink_to(tmp_path)
    os.mkfifo(mine / "pipe")
    with (mine / "large.bin").open("wb") as file:
        file.truncate(folder.MOST_BESIDE_BYTES + 1)
    (mine / os.fsdecode(b"\xff.txt")).write_bytes(b"")
    found, left_out = folder.beside(mine, ["x.ipynb"])
    assert found == {name: name.encode() for name in ("helper.py", "a/y.ipynb", "lib/__init__.py")}
    assert left_out == ["large.bin", "link.txt", "pipe", r"'\udcff.txt'", "folder"]


def test_a_folder_full_of_files_is_cut_off(tmp_path: Path) -> None:
    """Are not more read than a submission may have, and is that said?"""
    for number in range(500):
        (tmp_path / f"{number:03}.csv").write_bytes(b"1")
    found, left_out = folder.beside(tmp_path, [])
    assert len(found) == folder.MOST_BESIDE + 1 and left_out == ["and more"]


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("helper.py", True),
        ("helper/__init__.py", True),
        ("data/a b.csv", True),
        ("other.py", False),
        ("nim.py", False),
        ("answers.pdf", False),
    ],
)
def test_what_the_notebook_does_not_name_is_told(name: str, named: bool) -> None:
    """Does a human see that there is more, which may be an answer?"""
    accepted = folder.with_files(NOTEBOOK, HandedIn({}, beside={name: b"1"}), set())
    assert accepted.beside == ((name, b"1"),)
    assert accepted.elsewhere == (not named)
    assert accepted.repairs == ([] if named else [f"{folder.UNNAMED}: {name}"])


def test_a_notebook_that_is_run_by_another_lies_beside_it() -> None:
    """Is it there for `%run`, and no other notebook?"""
    handed_in = HandedIn({"nim.ipynb": b"1", "mine.ipynb": b"2"})
    assert folder.with_files(NOTEBOOK, handed_in, set()).beside == (("mine.ipynb", b"2"),)


@pytest.mark.parametrize("name", ["piles.py", "piles.py/x.txt", "lib", "lib/tool.py"])
def test_nothing_stands_in_the_way_of_the_courses_files(name: str) -> None:
    """Is a file left out that has a place which the course needs?"""
    handed_in = HandedIn({}, beside={name: b"1", "lib/own.py": b"2"})
    accepted = folder.with_files(NOTEBOOK, handed_in, {"piles.py", "lib/tool.py"})
    assert accepted.beside == (("lib/own.py", b"2"),)


@pytest.mark.parametrize(
    "source", ["![plot](plot%201.png)", '<img src="./plot 1.png">', "See plot 1.png"]
)
def test_a_picture_belongs_to_the_first_text_that_names_it(source: str) -> None:
    """Is it shown once, and does it count as part of that answer?"""
    cells = [new_markdown_cell("None."), new_markdown_cell(source), new_markdown_cell(source)]
    handed_in = HandedIn({}, beside={"plot 1.png": b"1"})
    accepted = folder.with_files(Intake(new_notebook(cells=cells), []), handed_in, set())
    assert [cell.get("attachments") for cell in accepted.notebook.cells] == [
        None, {"plot 1.png": {"image/png": "MQ=="}}, None,
    ]  # fmt: skip
