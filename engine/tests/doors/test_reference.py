"""Hold the reference of what commands write for programs to what they write."""

from pathlib import Path

import msgspec

from referee.doors import results

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "json.md"


def test_every_field_is_told_on_the_page() -> None:
    """Does the page name each type, and each field in the table of its type?"""
    for type_, schema in msgspec.json.schema_components(list(results.WRITTEN.values()))[1].items():
        after = PAGE.read_text("utf-8").partition(f"| `{type_}` | what it is |")[2]
        table = after.partition("\n\n")[0]
        assert [name for name in schema["properties"] if f"`{name}`" not in table] == [], type_
