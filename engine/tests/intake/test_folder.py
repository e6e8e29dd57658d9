"""Ask which file of a folder is graded, what becomes of the others, and what is never opened."""

import json
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nim_course import ASSIGNMENT, RELEASE, RELEASED
from nim_course import NOTEBOOK as WANTED

from referee import intake
from referee.course import Course
from referee.intake import folder as folder_module
from referee.intake import repair
from referee.intake.folder import HandedIn, choose
from referee.intake.repair import Intake


def worked(*names: str) -> bytes:
    """Return the released notebook with something done in the named cells."""
    notebook = json.loads(RELEASED)
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in names:
            cell["source"] = f"class {name}:\n    done = True"
    return json.dumps(notebook).encode()


def read(folder: Path) -> intake.Intake:
    accepted = choose(intake.collect(folder, WANTED), WANTED, RELEASE)
    assert accepted is not None
    return accepted


def done(accepted: intake.Intake) -> list[str]:
    """Return the cells in which something was done."""
    return [intake.identity(cell) for cell in accepted.notebook.cells if "done = " in cell.source]


def test_the_notebook_alone_needs_no_word(tmp_path: Path) -> None:
    """Is a folder as it should be read without a remark, with whatever machines leave in it?

    Are a folder and its one file the same notebook to grade, and is an empty one none?
    """
    (tmp_path / WANTED).write_bytes(worked("MiniMax"))
    (tmp_path / "piles.py").write_text("")
    (tmp_path / f"._{WANTED}").write_bytes(b"\0\0")
    (tmp_path / ".ipynb_checkpoints").mkdir()
    accepted = read(tmp_path)
    assert (done(accepted), accepted.repairs, accepted.refused) == (["MiniMax"], [], None)
    assert accepted == intake.accept(ASSIGNMENT, intake.collect(tmp_path, WANTED))
    assert accepted == intake.accept_file(ASSIGNMENT, worked("MiniMax"))
    empty = intake.collect(tmp_path / ".ipynb_checkpoints", WANTED)
    assert intake.accept(ASSIGNMENT, empty) is None


@pytest.mark.parametrize(
    "name",
    [
        "Nim (1).ipynb",
        "Nim.ipynb.txt",
        "NIM.IPYNB",
        "Nim.ipynb.json",
        "Nim.ipynb (1)",
        "nim/Nim.ipynb",
    ],
)
def test_a_notebook_of_another_name_or_one_folder_deeper_is_read_and_told(
    tmp_path: Path, name: str
) -> None:
    """Does what a browser or a zip has done to the name cost nothing, and is it told?"""
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(worked("MiniMax"))
    accepted = read(tmp_path)
    assert done(accepted) == ["MiniMax"]
    assert accepted.repairs == [f"the file {name} was graded as {WANTED}"]


@pytest.mark.parametrize(
    "name", [".hidden/Nim.ipynb", "__MACOSX/Nim.ipynb", "a/b/Nim.ipynb", "x.pdf", "link"]
)
def test_what_is_hidden_or_deeper_is_no_notebook(tmp_path: Path, name: str) -> None:
    """Is nothing read that somebody else has put there, or another program, or by a link?"""
    place = (tmp_path / "other" / WANTED) if name == "link" else tmp_path / "mine" / name
    place.parent.mkdir(parents=True)
    place.write_bytes(worked("MiniMax"))
    if name == "link":
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine/link").symlink_to(place.parent)
    assert intake.notebooks(tmp_path / "mine") == []


def test_a_name_in_no_encoding_stops_nobody(tmp_path: Path) -> None:
    """Is a notebook read, and what came with it told apart, whose name is no text?"""
    (tmp_path / os.fsdecode(b"\xff\xfe\x1b.ipynb")).write_bytes(worked("MiniMax"))
    handed_in = intake.collect(tmp_path, WANTED)
    assert list(handed_in.notebooks) == ["\\xff\\xfe\x1b.ipynb"]
    assert msgspec.msgpack.encode(handed_in)
    assert done(read(tmp_path)) == ["MiniMax"]


@pytest.mark.parametrize(
    ("others", "graded"),
    [
        ({WANTED: worked("MiniMax"), "copy.ipynb": worked("MiniMax", "AlphaBeta")}, "copy.ipynb"),
        ({WANTED: worked("MiniMax"), "copy.ipynb": worked("AlphaBeta")}, WANTED),
        ({WANTED: RELEASED, "copy.ipynb": worked("MiniMax")}, "copy.ipynb"),
        ({WANTED: b"{", "copy.ipynb": worked("MiniMax")}, "copy.ipynb"),
        ({WANTED: b"{", "copy.ipynb": RELEASED}, "copy.ipynb"),
        ({WANTED: RELEASED, "copy.ipynb": RELEASED}, WANTED),
        ({"a.ipynb": worked("MiniMax"), "b.ipynb": worked("MiniMax", "AlphaBeta")}, "b.ipynb"),
        ({WANTED: RELEASED, "nim/Nim.ipynb": worked("MiniMax")}, "nim/Nim.ipynb"),
        ({WANTED: worked("MiniMax"), "old/x.ipynb": worked("MiniMax", "AlphaBeta")}, WANTED),
    ],
)
def test_of_several_notebooks_the_one_with_the_work_counts(
    tmp_path: Path, others: dict[str, bytes], graded: str
) -> None:
    """Is it the one in which most was done, or else that of the right name, and is it said?"""
    for name, data in others.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    accepted = read(tmp_path)
    assert accepted.notebook == repair.read(others[graded], RELEASE).notebook
    assert any("not graded" in said for said in accepted.repairs) and accepted.elsewhere
    assert any(f"the file {graded}" in said for said in accepted.repairs) == (graded != WANTED)


@pytest.mark.parametrize(
    "make",
    [
        os.mkfifo,
        Path.mkdir,
        lambda file: file.symlink_to(ASSIGNMENT.source),
        lambda file: file.symlink_to("/dev/zero"),
        lambda file: file.symlink_to(file),
    ],
    ids=["pipe", "folder", "link", "device", "loop"],
)
def test_nothing_but_a_file_is_opened(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """Is a link, a pipe or a device refused with a sentence, and at once?"""
    make(tmp_path / WANTED)
    accepted = read(tmp_path)
    assert "no file; hand in the notebook itself" in (accepted.refused or "")
    assert accepted.notebook == RELEASE
    folder = tmp_path / "his"
    folder.symlink_to(tmp_path)
    assert read(folder).refused == "the folder is a link; hand in the notebook itself"


def test_a_huge_file_is_refused_and_never_read(tmp_path: Path) -> None:
    """Does a file of 500 MB cost no memory?"""
    with (tmp_path / WANTED).open("wb") as file:
        file.truncate(500 * 1024**2)
    tracemalloc.start()
    said = intake.collect(tmp_path, WANTED).notebooks[WANTED]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "524,288,000 bytes" in str(said) and most < 5_000_000


def test_a_folder_full_of_notebooks_is_counted_and_not_kept(tmp_path: Path) -> None:
    """Are the first read, the others a number, and the wanted one among the first?"""
    for number in range(10_000):
        (tmp_path / f"{number:05}{'a' * 200}.ipynb").touch()
    (tmp_path / WANTED).write_bytes(worked("MiniMax"))
    handed_in = intake.collect(tmp_path, WANTED)
    assert len(handed_in.notebooks) == 21
    assert len(msgspec.msgpack.encode(handed_in)) < 100_000
    accepted = read(tmp_path)
    assert done(accepted) == ["MiniMax"]
    (sentence,) = (one for one in accepted.repairs if "other notebooks" in one)
    assert sentence.endswith(", and 9,981 more") and len(sentence) < 5_000
    (tmp_path / WANTED).unlink()
    assert len(intake.collect(tmp_path, WANTED).notebooks) == 21


def test_no_more_is_read_than_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Are notebooks left out once those before them have used up the room, by their size?"""
    monkeypatch.setattr(folder_module, "LEAST_BYTES", 1)
    monkeypatch.setattr(folder_module, "MOST_BYTES", 9)
    for name in "abcd":
        (tmp_path / f"{name}.ipynb").write_bytes(b"12345678")
    assert list(intake.collect(tmp_path, WANTED).notebooks) == ["a.ipynb", "b.ipynb", "and 2 more"]


ELSEWHERE = ("..", ".ipynb_checkpoints", "a/b", "a\\b", 'a"b', "<i>", "a*", "")
SIGNS = "\x1b\x00\x85\x9b\u202e\u2066\u200b\u200f\ufeff\udc1b"


def test_no_student_is_called_what_leads_elsewhere_or_a_terminal_obeys() -> None:
    """Are paths, patterns and markup in nobody's name, nor what turns or hides a text?

    A file's name is shown without them, in a word.
    """
    for name in (*ELSEWHERE, *(f"ada{sign}" for sign in SIGNS)):
        assert not intake.STUDENT.fullmatch(name)
    assert all(folder_module.shown(f"ada{sign}").isascii() for sign in SIGNS)
    assert folder_module.shown("a\n\n<b>.ipynb") == r"'a\n\n<b>.ipynb'"
    assert len(folder_module.shown("x" * 250)) == 80
    for name in ("ada", "Zoë Müller", "李雷", "o'brien@uni.de", "مريم"):
        assert intake.STUDENT.fullmatch(name)


def test_whose_folder_may_not_be_entered_is_a_student(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Is nobody graded whom Jupyter has made, and nobody taken for one without a submission?"""
    for name in (".ipynb_checkpoints", ".git", "ada"):
        (tmp_path / "submitted" / name / "numbers").mkdir(parents=True)

    def closed(_: Path) -> bool:
        raise PermissionError

    for exists in (Path.exists, closed):
        monkeypatch.setattr(Path, "exists", exists)
        assert intake.students(Course(tmp_path), "numbers") == ["ada"]


# --- an assignment's --------------------------------------------------------------------------


def test_what_is_there_instead_of_a_notebook_is_named(tmp_path: Path) -> None:
    """Is the packed file named beside another notebook, and what is hidden where all is?"""
    for name in ("other.ipynb", "nim.7z", "notes.txt"):
        (tmp_path / name).write_bytes(b"")
    handed_in = intake.collect(tmp_path, "nim.ipynb", ["other.ipynb"])
    assert handed_in.refused == "nim.ipynb was not handed in, only nim.7z"
    hidden = tmp_path / "empty" / ".ipynb_checkpoints"
    hidden.mkdir(parents=True)
    assert intake.inside(hidden.parent, hidden=True) == [hidden.name]


# --- the files beside it ----------------------------------------------------------------------

CODE = "import helper\nopen('data/a b.csv')"
GIVEN = new_markdown_cell("Hand in nim.ipynb.", metadata={"nbgrader": {"locked": True}})
NAMING = Intake(new_notebook(cells=[new_code_cell(CODE), GIVEN]), [])


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
        file.truncate(folder_module.MOST_BESIDE_BYTES + 1)
    (mine / os.fsdecode(b"\xff.txt")).write_bytes(b"")
    found, left_out = folder_module.beside(mine, ["x.ipynb"])
    assert found == {name: name.encode() for name in ("helper.py", "a/y.ipynb", "lib/__init__.py")}
    assert left_out == ["large.bin", "link.txt", "pipe", r"'\udcff.txt'", "folder"]


def test_a_folder_full_of_files_is_cut_off(tmp_path: Path) -> None:
    """Are not more read than a submission may have, and is that said?"""
    for number in range(500):
        (tmp_path / f"{number:03}.csv").write_bytes(b"1")
    found, left_out = folder_module.beside(tmp_path, [])
    assert len(found) == folder_module.MOST_BESIDE + 1 and left_out == ["and more"]


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
    accepted = folder_module.with_files(NAMING, HandedIn({}, beside={name: b"1"}), set())
    assert accepted.beside == ((name, b"1"),)
    assert accepted.elsewhere == (not named)
    assert accepted.repairs == ([] if named else [f"{folder_module.UNNAMED}: {name}"])


@pytest.mark.parametrize("name", ["piles.py", "piles.py/x.txt", "lib", "lib/tool.py"])
def test_nothing_stands_in_the_way_of_the_courses_files(name: str) -> None:
    """Is a file left out that has a place which the course needs?"""
    handed_in = HandedIn({}, beside={name: b"1", "lib/own.py": b"2"})
    accepted = folder_module.with_files(NAMING, handed_in, {"piles.py", "lib/tool.py"})
    assert accepted.beside == (("lib/own.py", b"2"),)


@pytest.mark.parametrize(
    "source", ["![plot](plot%201.png)", '<img src="./plot 1.png">', "See plot 1.png"]
)
def test_a_picture_belongs_to_the_first_text_that_names_it(source: str) -> None:
    """Is it shown once, and does it count as part of that answer?"""
    cells = [new_markdown_cell("None."), new_markdown_cell(source), new_markdown_cell(source)]
    handed_in = HandedIn({}, beside={"plot 1.png": b"1"})
    accepted = folder_module.with_files(Intake(new_notebook(cells=cells), []), handed_in, set())
    assert [cell.get("attachments") for cell in accepted.notebook.cells] == [
        None, {"plot 1.png": {"image/png": "MQ=="}}, None,
    ]  # fmt: skip
