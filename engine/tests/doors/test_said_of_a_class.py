"""Ask whether grading says what became of everybody."""

import shutil

import small_course as small
from classes import Class


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
    assert any("Grading numbers: 2 of 2" in line for line in lines)
    assert ".ipynb_checkpoints" not in "".join(lines)
