"""Judge a cell with the checks in the order of the file, in another, and up to the first lost.

python judge_orders.py COURSE < CELL    verdicts by check, three times, come as JSON
"""

import json
import os
import random
import sys
from pathlib import Path

import judge_editions
import msgspec

from referee import course
from referee.judging import session
from referee.judging.plugin import Host
from referee.model import Cell
from referee.sandbox.outside.submission import Submission
from referee.sandbox.outside.zygote import Zygote

LIMITS = msgspec.structs.replace(judge_editions.LIMITS, check_cpu_seconds=0.2)


def main() -> None:
    """Write what each order has come to."""
    root, cells = Path(sys.argv[1]), [Cell(sys.stdin.read(), "cell f")]
    os.chdir(root)
    assignment = course.find_assignment(root, "a")
    found: list[dict[str, str]] = []
    with Zygote(LIMITS, assignment.subject) as zygote:
        for how in ({}, {"shuffled": random.Random(1)}, {"to_first_lost": True}):
            with Submission(zygote, cells, assignment.support, LIMITS) as submission:
                results = session.run_checks(assignment, Host(submission), **how)
                found.append({one.id: one.verdict for one in results})
    print(json.dumps(found))


if __name__ == "__main__":
    main()
