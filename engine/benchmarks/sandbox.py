"""Measure what isolation costs: a process for a submission, one for a check, one question.

    python benchmarks/sandbox.py

Prints milliseconds, the median of many, with namespaces and with Landlock in their place. The
student's own code is not in it. The aim: at most 30 ms for a submission, 3 ms for a check.
"""

import statistics
import time
from collections.abc import Callable

from referee.model import Cell, Limits, Subject
from referee.sandbox.outside.submission import Submission
from referee.sandbox.outside.zygote import Zygote

TIMES = 100
ASKING = "def ask(question, n):\n    for _ in range(n):\n        question(())"


def median(work: Callable[[], object], times: int = TIMES) -> float:
    """Return the median time of a piece of work in milliseconds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(1000 * (time.perf_counter() - start))
    return statistics.median(found)


def measure(namespaces: bool) -> tuple[float, float, float]:
    """Return the times of a submission, a check and a question in milliseconds."""
    with Zygote(Limits(), Subject(), namespaces) as zygote:

        def submission() -> None:
            Submission(zygote, [], {}, Limits()).close()

        submission()
        a_submission = median(submission)
        with Submission(zygote, [Cell(ASKING, "cell 1")], {}, Limits()) as started:

            def check() -> None:
                with started.student():
                    pass

            a_check = median(check)
            with started.student() as student:
                ask = student.ask
                a_question = median(lambda: ask(lambda _: None, TIMES), 20) / TIMES
            return a_submission, a_check, a_question


def main() -> None:
    """Print the table."""
    print(f"{'':24}{'submission':>12}{'check':>9}{'question':>10}  (ms)")
    for name, namespaces in [("namespaces", True), ("Landlock", False)]:
        submission, check, question = measure(namespaces)
        print(f"{name:24}{submission:12.1f}{check:9.2f}{question:10.3f}")


if __name__ == "__main__":
    main()
