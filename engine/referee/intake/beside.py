"""Find what a notebook does with the files that were handed in beside it."""

from base64 import b64encode
from collections.abc import Mapping, Set
from pathlib import PurePosixPath
from urllib.parse import quote

from referee.intake.file import PICTURES
from referee.intake.folder import shown
from referee.intake.repair import Intake

UNNAMED = "files that the notebook does not name"
ENDINGS = {".png": PICTURES[0], ".jpg": PICTURES[1], ".jpeg": PICTURES[1], ".gif": PICTURES[2]}


def added(
    accepted: Intake, beside: Mapping[str, bytes], left_out: list[str], given: Set[str]
) -> Intake:
    """Return a notebook with the files beside it, by their paths; say which ones it does not name.

    A picture belongs to the first text that names it. What is in the way of a file that is `given`
    is left out.
    """
    if accepted.refused is not None:
        return accepted
    taken = {*given, *(str(one) for name in given for one in PurePosixPath(name).parents)}
    files = {
        name: body
        for name, body in beside.items()
        if name not in taken and given.isdisjoint(map(str, PurePosixPath(name).parents))
    }
    programs = [body.decode("utf-8", "replace") for name, body in files.items() if _is_code(name)]
    texts = "\n".join([*programs, *(cell.source for cell in accepted.notebook.cells)])
    for name, body in files.items():
        kind = ENDINGS.get(PurePosixPath(name).suffix.lower())
        cells = (one for one in accepted.notebook.cells if one.cell_type == "markdown")
        cell = next((one for one in cells if kind and _names(one.source, name)), None)
        if cell and not cell.metadata.get("nbgrader", {}).get("locked"):
            pictures = cell.setdefault("attachments", {})
            pictures[name] = {kind: b64encode(body).decode()}
    unnamed = [shown(name) for name in files if not _names(texts, name)]
    said = [f"{UNNAMED}: {', '.join(unnamed)}"] if unnamed else []
    if left_out:
        said.append(f"{UNNAMED}, or that are links, too large or too many: {', '.join(left_out)}")
    return accepted._replace(
        repairs=[*accepted.repairs, *said],
        elsewhere=accepted.elsewhere or bool(said),
        beside=tuple(sorted(files.items())),
    )


def _is_code(name: str) -> bool:
    return name.endswith(".py")


def _names(text: str, name: str) -> bool:
    """Return whether a text names a file: by its name, or as a module or package."""
    path = PurePosixPath(name)
    known = [path.name, quote(path.name)]
    if _is_code(name):
        known = [path.parent.name] if path.stem == "__init__" else [path.name, path.stem]
    return any(one in text for one in known)
