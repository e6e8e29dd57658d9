"""Ask whether what the course gives away holds nothing that it must keep."""

import re
from pathlib import Path

from formgrading import run

ROOT = Path(__file__).parents[1]


def test_the_public_copy_of_the_course_holds_no_secret_line(tmp_path: Path) -> None:
    """Is it all that is public, and searched for more than a thousand lines?"""
    said = run(ROOT, "referee", "publish", str(tmp_path / "public"))
    (count,) = re.findall(r"none of ([\d,]+) lines", said)
    assert int(count.replace(",", "")) >= 1_000
    top = {file.name for file in (tmp_path / "public").iterdir()}
    assert top == {".devcontainer", "LICENSE", "docs", "release"}
    assert len(list((tmp_path / "public" / "release").glob("*/*.ipynb"))) == 4
