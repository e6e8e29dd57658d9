"""Print the twenty slowest tests of the last runs.

    python docs/benchmarks/slowest.py      a part of what `make benchmark` does

Reads what `make test`, `make proof` and `make pages` have left in build/, and measures nothing.
"""

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import throughput

ROOT = Path(__file__).parents[2]
GROUPS = ("test", "proof", "pages")
MOST = 20


def slowest(build: Path) -> str:
    """Return a table of the slowest tests, from what pytest has left in a folder."""
    times: Counter[tuple[str, str]] = Counter()
    for group in GROUPS:
        file = build / f"{group}.xml"
        for case in ElementTree.parse(file).iter("testcase") if file.is_file() else ():
            where = case.attrib["classname"].replace(".", "/")
            times[group, f"{where}.py::{case.attrib['name']}"] += float(case.attrib["time"])
    rows = [(f"{time:.0f}", group, f"`{name}`") for (group, name), time in times.most_common(MOST)]
    return throughput.table(("seconds", "group", "test, with what it sets up"), rows)


if __name__ == "__main__":
    print(slowest(ROOT / "build"))
