"""Read a notebook file of any version and encoding as one of version 4 of the format.

A file that cannot be read raises UnreadableError, with a message for the student.
"""

import json
import re
from typing import Any

import nbformat
from nbformat import NotebookNode

CONFLICT = [re.compile(f"(?m)^{mark}") for mark in ("<<<<<<< ", "=======\r?$", ">>>>>>> ")]
NO_NOTEBOOK = "the file is JSON but no notebook; open it in Jupyter, save it, and hand it in again"
MAX_BYTES = 20 * 1024 * 1024
MAX_CELLS = 2000
PICTURE = re.compile(r"(?m)^[^\n]{10000,}")  # a line of text that nobody types: Colab's pictures
CAPS = {  # the most that a notebook may have, and what helps; it is read in seconds, and in 1 GB
    "bytes": (MAX_BYTES, "clear its outputs"),
    "cells": (MAX_CELLS, "delete those that you do not need"),
    "characters in its cells": (300_000, "put data into a file"),
    "characters in its cells and in the pictures of its text": (4_000_000, "make pictures smaller"),
    "pictures": (1000, "delete those that you do not need"),
}
KINDS = ("code", "markdown", "raw")
PICTURES = ("image/png", "image/jpeg", "image/gif")
BLANK = b"\0 \t\r\n\v\f"
OTHER = "the file is no notebook, but something else; hand in the .ipynb file itself"
TWO_VERSIONS = (
    "the file holds two versions, as git leaves them where it cannot choose (lines that begin with "
    "<<<<<<< and >>>>>>>); choose one of them, and hand it in again"
)
BROKEN = (
    "the file is not a notebook: its JSON ends or breaks at line {} ({}); if Jupyter opens it, "
    "save it there and hand it in again, else hand in an earlier copy"
)


class UnreadableError(ValueError):
    """The file is not a notebook; the message says why and what to do."""


def read(data: bytes) -> tuple[NotebookNode, list[str]]:
    """Return what grading needs of a student's notebook, and the repairs that reading it took."""
    text, repairs = _text(data)
    content, number = _content(text)
    pictures = [cell.get("attachments") for cell in content["cells"]]
    check_size(sum(len(one) for one in pictures if isinstance(one, dict)), "pictures")
    if number:
        repairs.append(f"{number} cells that are no cells were left out")
    cells = []
    for cell in content["cells"]:  # nothing else of it is looked at, and may be of any size
        kind, source, settings = cell["cell_type"], cell["source"], cell["metadata"].get("nbgrader")
        node = NotebookNode(cell_type=kind, source=source, metadata=NotebookNode())
        if isinstance(settings, dict):
            values = {key: settings.get(key) for key in ("grade_id", "grade", "locked")}
            node.metadata["nbgrader"] = NotebookNode(values)
        attachments = cell.get("attachments")
        for name, kinds in attachments.items() if isinstance(attachments, dict) else ():
            if isinstance(kinds, dict) and all(isinstance(one, str) for one in kinds.values()):
                bodies = {kind: _whole(body) for kind, body in kinds.items() if kind in PICTURES}
                node.setdefault("attachments", NotebookNode())[_whole(name)] = bodies
        cells.append(node)
    return NotebookNode(cells=cells), repairs


def parse(data: bytes) -> NotebookNode:
    """Return the whole notebook in a file of the course, but for its outputs."""
    try:
        return nbformat.from_dict(_content(_text(data)[0])[0])  # type: ignore[no-any-return]
    except RecursionError as error:
        raise UnreadableError(NO_NOTEBOOK) from error


def holds_conflict(text: str) -> bool:
    """Return whether a text holds two versions, as git leaves them where it cannot choose."""
    match = CONFLICT[0].search(text)
    for mark in CONFLICT[1:]:
        match = match and mark.search(text, match.end())
    return match is not None


def check_size(size: int, what: str) -> None:
    """Raise UnreadableError for a notebook that has more of something than `CAPS` says."""
    most, remedy = CAPS[what]
    if size > most:
        raise UnreadableError(
            f"the notebook has {size:,} {what}, more than the {most:,} that it may have; "
            f"{remedy}, save it, and hand it in again"
        )


def _text(data: bytes) -> tuple[str, list[str]]:
    """Return a file's text from any encoding, and the repairs that reading it took."""
    check_size(len(data), "bytes")
    if not data.strip(BLANK):
        raise UnreadableError("the file is empty; save the notebook and hand it in again")
    encoding: str = json.detect_encoding(data)
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        if not data.lstrip().startswith(b"{"):
            raise UnreadableError(OTHER) from error
        encoding, text = "Windows-1252", data.decode("cp1252", "replace")
    whole = text.rstrip("\0")
    repairs = ["zeros at the end of the file were left out"] if whole != text else []
    if not encoding.startswith("utf-8"):
        repairs.append(f"the file was read as {encoding.upper()} text, since it is not UTF-8")
    return whole, repairs


def _content(text: str) -> tuple[dict[str, Any], int]:
    """Return a notebook of any version as one of version 4, and how many of its cells were none."""
    try:
        content = json.loads(text, strict=False)
        if old := content["nbformat"] in (2, 3):
            cells = [cell for sheet in content["worksheets"] for cell in sheet["cells"]]
            content = {"nbformat": 4, "metadata": content.get("metadata"), "cells": cells}
        if content["nbformat"] != 4:
            raise ValueError("unknown version")
        check_size(len(content["cells"]), "cells")
        cells = [tidy for cell in content["cells"] if (tidy := _tidy(cell, old))]
        short = (
            cell["source"] if cell["cell_type"] == "code" else PICTURE.sub("", cell["source"])
            for cell in cells
        )
        check_size(sum(map(len, short)), "characters in its cells")
        long = sum(len(cell["source"]) for cell in cells)
        check_size(long, "characters in its cells and in the pictures of its text")
        metadata, minor = content.get("metadata") or {}, content.get("nbformat_minor", 5)
        notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": minor}
        return notebook, len(content["cells"]) - len(cells)
    except json.JSONDecodeError as error:
        why = BROKEN.format(error.lineno, error.msg)
        if holds_conflict(text):
            why = TWO_VERSIONS
        elif not text.lstrip().startswith("{"):
            why = OTHER
    except (UnreadableError, MemoryError):
        raise
    except Exception:  # its values are not those of a notebook
        why = NO_NOTEBOOK
    raise UnreadableError(why)


def _tidy(cell: Any, old: bool) -> dict[str, Any] | None:
    """Join a cell's lines, give it metadata, clear its outputs; None of what is no cell.

    One of a kind that Jupyter does not have, as Deepnote's, is raw. In an `old` notebook, of
    version 3, headings are cells of their own.
    """
    if not isinstance(cell, dict):
        return None
    kind, source, metadata = (cell.get(key) for key in ("cell_type", "source", "metadata"))
    if old and kind == "code":
        source = cell.get("input", source)
    elif old and kind == "heading" and isinstance(source, str | list):
        kind, source = "markdown", ["# ", *source]
    kind = kind if kind in KINDS else "raw"
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        return None
    source = _whole(source).replace("\0", "").replace("\r\n", "\n")
    fields = {key: value for key, value in cell.items() if kind == "code" or key != "outputs"}
    empty: dict[str, Any] = {"outputs": [], "execution_count": None} if kind == "code" else {}
    metadata = metadata if isinstance(metadata, dict) else {}
    return {**fields, **empty, "cell_type": kind, "source": source, "metadata": metadata}


def _whole(text: str) -> str:
    """Return a text without lone surrogates, which cannot be written."""
    return text.encode("utf-8", "replace").decode("utf-8")
