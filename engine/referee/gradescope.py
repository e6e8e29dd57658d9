"""Grade on Gradescope: results.json for a judged notebook, and the zip that makes it there.

The format is that of https://gradescope-autograders.readthedocs.io/en/latest/specs/. It holds only
titles, points and messages, which students may see. Everything else goes to standard output, which
Gradescope shows to instructors only. `gradescope_run.sh` runs it.
"""

import io
import os
import sys
import traceback
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from referee import course, intake
from referee.judging import bundle, digests, pipeline
from referee.marks import feedback, files
from referee.model import CellMark, Judged, Reference, Report, Verdict
from referee.sandbox.outside import importable, server
from referee.sandbox.outside.server import shut_off

RESULTS = "results/results.json"
SECRET = ("source", "results", "submission", "submission_metadata.json")
SETTINGS, UNFINISHED = "gradescope.json", "unfinished.json"
PACKAGES = "packages.txt"  # of `c.Course.packages`, which the set-up installs
SCRIPTS = {"run_autograder": "gradescope_run.sh", "setup.sh": "gradescope_setup.sh"}
STOPPED = (
    "Grading was stopped before it was done: out of time or memory, perhaps. This says nothing "
    "about your work, and no points were taken for it. Tell your teacher, who can run it again."
)
FAILED = (
    "Grading failed on our side. This says nothing about your work, and no points were taken for "
    "it. Tell your teacher, who can see why, and run it again."
)
NOT_SAFE = (
    "Not graded: student code could read the hidden checks and write its own marks. Build the zip "
    "with --unsafe to grade all the same."
)
NOTHING = "No notebook was handed in. Hand in {} and nothing else."
BY_HAND = "Your teacher marks this by hand: {:g} points, which are not in the score yet."


class ZipSettings(msgspec.Struct, frozen=True):
    """The assignment of a zip, and whether it grades even where nothing isolates student code.

    `reference` has the results of the instructor's notebook, which is not in the zip.
    """

    assignment: str
    unsafe: bool = False
    reference: Reference | None = None


# --- results.json --------------------------------------------------------------------------------


def results(report: Report) -> dict[str, Any]:
    """Return a report in Gradescope's format; a cell that is left to a human has no score.

    There is no score at all if a check itself has failed.
    """
    failures = (f"While the notebook ran, {failure}" for failure in report.failures)
    seconds = sum(cost.cpu_seconds for cost in report.costs.values())
    tests = [_tests(report, mark, n) for n, mark in enumerate(report.cells, start=1)]
    texts = [*dict.fromkeys(report.waits.values()), feedback.repairs_as_text(report), *failures]
    content = _visible("\n".join(filter(None, texts))) | {
        "score": report.score,
        "execution_time": round(seconds, 1),
        "tests": [test for of_cell in tests for test in of_cell],
    }
    if report.waits or any(check.verdict.open for check in report.checks):
        for part in (content, *content["tests"]):  # else Gradescope adds those of the checks up
            part.pop("score", None)
    return content


def failure(why: str) -> dict[str, Any]:
    """Return results without any score, with the reason."""
    return _visible(why) | {"tests": [{"name": "Grading", "status": "failed"} | _text(why)]}


def _visible(output: str) -> dict[str, Any]:
    return _text(output) | {"visibility": "visible", "stdout_visibility": "hidden"}


def _text(output: str) -> dict[str, str]:
    return {"output": output, "output_format": "text"}


def _tests(report: Report, mark: CellMark, number: int) -> list[dict[str, Any]]:
    """Return the checks of a cell, with their points, and its explanation."""
    checks = [check for check in report.checks if check.cell == mark.cell]
    whys = {
        check.id: why if check is group[0] else f"For the same reason as: {group[0].title}"
        for group, why in feedback.reasons(checks, [])
        for check in group
    }
    tests: list[dict[str, Any]] = []
    for check in checks:
        test: dict[str, Any] = {"name": check.title, "tags": [mark.cell, check.verdict]}
        if not check.verdict.open:
            test["status"] = "passed" if check.verdict is Verdict.PASS else "failed"
        if mark.score is not None:
            test["score"], test["max_score"] = check.points, check.max_points
        tests.append(test | _text(whys.get(check.id, "")))
    if mark.score is None:
        tests.append({"name": "Marked by hand"} | _text(BY_HAND.format(mark.max_score)))
    if explanation := feedback.explanation_as_text(report, mark):
        tests.append({"name": "What to look at", "status": "failed"} | _text(explanation))
    for n, test in enumerate(tests, start=1):
        test["name"] = f"{mark.cell}: {test['name']}"
        test["number"] = f"{number}.{n}"
    return tests


# --- the zip -------------------------------------------------------------------------------------


def pack(assignment: course.Assignment, unsafe: bool) -> bytes:
    """Return the zip to upload: the course without its solutions, the referee, and two scripts."""
    settings = ZipSettings(assignment.key, unsafe, assignment.reference)
    content = bundle.files(assignment)
    engine = course.files_in(digests.PACKAGE)
    content |= {
        f"referee/{name}": body
        for name, body in engine.items()
        if not name.startswith("templates/")  # for authors, with solutions
    }
    content |= {name: content[f"referee/{script}"] for name, script in SCRIPTS.items()}
    packages = "".join(f"{one}\n" for one in assignment.course.settings.packages)
    content |= {
        SETTINGS: msgspec.json.encode(settings),
        UNFINISHED: msgspec.json.encode(failure(STOPPED)),
        PACKAGES: packages.encode(),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(content):
            info = zipfile.ZipInfo(name)
            info.external_attr = (0o100755 if name in SCRIPTS else 0o100644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content[name])
    return buffer.getvalue()


# --- in Gradescope's container -------------------------------------------------------------------


def main(base: Path) -> None:
    """Grade the submission in `base`, laid out as Gradescope's /autograder; never raise."""
    content = failure(FAILED)
    try:
        content = _grade(base)
    except Exception:
        traceback.print_exc()
    files.save(base / RESULTS, msgspec.json.encode(content))


def keeps_out(layers: Sequence[str]) -> bool:
    """Return whether student code behind some layers is kept from the files of `SECRET`.

    These belong to root alone, so that another user is enough where nothing else is there.
    """
    return shut_off(layers) or "own user" in layers


def _grade(base: Path) -> dict[str, Any]:
    """Return the results of a submission; print what the instructor reads."""
    for path in (base / name for name in SECRET):  # Gradescope lets everybody read them
        if path.exists():
            os.chown(path, os.geteuid(), os.getegid())
            path.chmod(0o700 if path.is_dir() else 0o600)
    settings = msgspec.json.decode((base / "source" / SETTINGS).read_bytes(), type=ZipSettings)
    assignment = course.Course(base / "source").find(settings.assignment)
    assignment = assignment._replace(reference=settings.reference)
    importable.expect(assignment.course.settings.packages)
    limits = assignment.course.limits(settings.unsafe)
    layers, why = server.survey(msgspec.structs.replace(limits, unsafe=True))
    print(f"Isolation of student code: {', '.join(layers)}", *server.advice(layers, why), sep="\n")
    if not limits.unsafe and not keeps_out(layers):
        print(NOT_SAFE)
        return failure(FAILED)
    unsafe = limits.unsafe or not shut_off(layers)
    limits = msgspec.structs.replace(limits, unsafe=unsafe)
    handed_in = intake.collect(_folder(base / "submission"), assignment.notebook)
    accepted = intake.accept(assignment, handed_in)
    if accepted is None:
        return failure(NOTHING.format(assignment.notebook)) | {"score": 0}
    _, report = pipeline.judge_file(assignment, accepted, limits, Judged())
    print(*(f"{check.verdict:13} {check.id} {check.details}" for check in report.checks), sep="\n")
    return results(report)


def _folder(submission: Path) -> Path:
    """Return the first folder with a notebook: a zip that was handed in keeps its folders."""
    for place, folders, _ in os.walk(submission):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        if any(name.endswith(".ipynb") for name in intake.inside(Path(place))):
            return Path(place)
    return submission


if __name__ == "__main__":
    main(Path(sys.argv[1]))
