"""Lead a class from a platform to marks and back: is everybody graded, told and given back?"""

import json
import re
import shutil
import zipfile
from pathlib import Path

import small_course as small
from classes import Class
from formgrading import run


def test_what_became_of_marks_is_said_in_a_line(two: Class) -> None:
    """Are a folder that is gone, a lower mark and an older notebook that stays told?"""
    two.hand_in("ada", square="def square(n):\n    return n")
    shutil.rmtree(two.path("submitted/bob"))
    two.folder("dora").mkdir(parents=True)
    two.hand_in(".ipynb_checkpoints")
    lines = small.grade(two.root, "--never-lower", status=1).splitlines()
    assert any(line.startswith("Without a folder") and line.endswith(": bob.") for line in lines)
    assert "With the marks of an older notebook: ada." in lines
    lower = lines.index("Lower than before: 1 of 2, by test_square.py::test_square (1):")
    assert lines[lower + 1] == "    ada 10 -> 6. The older marks stand."
    assert any(line.startswith("sandboxed: ") and line.endswith(" layers") for line in lines)
    assert any("Grading numbers: 1 of 1" in line for line in lines)
    assert ".ipynb_checkpoints" not in "".join(lines)


def test_a_class_goes_from_the_platform_and_back_in_two_commands(tmp_path: Path) -> None:
    """Is everybody's feedback in one zip, with the mark by hand in it, and nobody else's?"""
    root = small.make(tmp_path / "course")
    people = {"Ada O'Brien_11": "double", "Jürgen Müller_12": "square", "李雷_13": ""}
    people |= {f"Student {number}_{number}": "" for number in range(100, 108)}
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for person, wrong in people.items():
            sources = {
                **small.SOLVED,
                **({wrong: f"def {wrong}(n):\n    return 0"} if wrong else {}),
            }
            text = json.dumps(small.notebook(**sources))
            archive.writestr(f"{person}_assignsubmission_file/numbers.ipynb", text)
            archive.writestr(f"{person}_assignsubmission_onlinetext/onlinetext.html", "<p>Hi</p>")
    said = run(root, "referee", "collect", small.NAME, str(tmp_path / "all.zip"))
    assert f"{len(people)} students collected, {len(people)} new." in said
    assert said.count("\n") == 1
    typed = root.glob(f"submitted/*/{small.NAME}/onlinetext.html")
    assert len([*typed]) == len(people)
    small.grade(root)
    Class(root).by_hand("Ada O'Brien", "test_double", 5.0)
    back = tmp_path / "back.zip"
    said = run(root, "referee", "return", small.NAME, "--for", "moodle", "--to", str(back))
    assert said == f"Wrote {back}: feedback for {len(people)} students.\n"
    with zipfile.ZipFile(back) as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(pages) == {f"{one}_assignfeedback_file_/numbers.html" for one in people}
    score = re.compile(r"<h1>numbers: ([\d.]+) of 10 points")
    found = {name.split("_")[0]: score.findall(page)[0] for name, page in pages.items()}
    expected = dict.fromkeys(found, 10.0) | {"Ada O'Brien": 9.0, "Jürgen Müller": 6.0}
    assert {name: float(text) for name, text in found.items()} == expected
    name = "Zoë_19_assignsubmission_file/numbers.ipynb"
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr(name, json.dumps(small.notebook(**small.SOLVED)))
    run(root, "referee", "collect", small.NAME, str(tmp_path / "all.zip"))
    said = run(root, "referee", "return", small.NAME, "--for", "moodle", "--to", str(back))
    assert "Collected, and without feedback, since they have no marks: Zoë." in said
