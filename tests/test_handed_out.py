"""Nothing that students receive solves what they are asked, however it is dressed.

`handed_out` tries each function and class of what is released, in a process of its own. What lies
in `smuggled` are solutions in disguise: were they not found, nothing would be.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TRYING, SMUGGLED = ROOT / "tests" / "handed_out.py", ROOT / "tests" / "smuggled"
RELEASES = sorted(path for path in (ROOT / "release").iterdir() if path.is_dir())

# A pile of pieces that is a position of Connect Four still shows most lines. It takes more to write
# than a search for lines, and earns nothing: bank/tic-tac-toe/cheat/borrows_a_line_search.py.
PILED = "games.ConnectFour, on O(size, pieces): yes, board"


def found(folder: Path, *files: str) -> list[str]:
    """Return what stands in for a solution in a folder, or in some of its files."""
    command = [sys.executable, str(TRYING), str(folder), *files]
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    answers: list[str] = json.loads(done.stdout)
    return answers


def new_files() -> list[tuple[Path, list[str]]]:
    """Return the modules of each release, without those that an earlier one has, too."""
    seen, releases = set(), []
    for release in RELEASES:
        contents = {file: file.read_bytes() for file in sorted(release.rglob("*.py"))}
        new = [str(file.relative_to(release)) for file in contents if contents[file] not in seen]
        releases.append((release, new))
        seen |= set(contents.values())
    return releases


@pytest.mark.parametrize(("release", "files"), new_files(), ids=[path.name for path in RELEASES])
def test_nothing_that_is_released_solves_what_is_asked(release: Path, files: list[str]) -> None:
    """Is no function and no class a search of trees, nor one of lines, in any dress?"""
    assert files
    assert [one for one in found(release, *files) if one != PILED] == []


def test_what_is_smuggled_in_is_found() -> None:
    """Is each solution found, be it nested, a generator, an object or without recursion?"""
    names = {file.stem for file in SMUGGLED.glob("*.py")}
    assert len(names) >= 10
    assert {one.partition(".")[0] for one in found(SMUGGLED)} == names


def test_what_stood_in_the_files_of_a_release_is_found(tmp_path: Path) -> None:
    """Is a solution found between all the rest of a release, in a folder of it?"""
    (tmp_path / "canvas").mkdir()
    text = (ROOT / "handout/canvas" / "first_wrong.py").read_text("utf-8")
    smuggled = (SMUGGLED / "any_and_all.py").read_text("utf-8").partition("\n")[2]
    (tmp_path / "canvas" / "first_wrong.py").write_text(text + smuggled, "utf-8")
    (tmp_path / "canvas" / "__init__.py").touch()
    (tmp_path / "games.py").write_bytes((ROOT / "games.py").read_bytes())
    names = [one.partition("(")[0] for one in found(tmp_path, "canvas/first_wrong.py")]
    assert names == ["canvas.first_wrong.is_marked"]
