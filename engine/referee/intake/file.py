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
MAX_CHARACTERS = 4_000_000  # in all its cells, without pictures and outputs
PACKED = {  # how such files begin
    b"PK\3\4": "a ZIP archive",
    b"\x1f\x8b": "packed with gzip",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"BZh": "packed with bzip2",
    b"\xfd7zXZ": "packed with xz",
}
MADE = {
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\xd0\xcf\x11\xe0": "a document of Word",
}
BLANK = b"\0 \t\r\n\v\f"
OTHER = "the file is {}, not a notebook; hand in the .ipynb file {}"


class UnreadableError(ValueError):
    """The file is not a notebook; the message says why and what to do."""


def read(data: bytes) -> tuple[NotebookNode, list[str]]:
    """Return the notebook in a file, and the repairs that reading it took, in words."""
    text, repairs = _text(data)
    return _notebook(text), repairs


def parse(data: bytes) -> NotebookNode:
    """Return the notebook in a file."""
    return read(data)[0]


def other_language(notebook: NotebookNode) -> str:
    """Return the language of a notebook's kernel if it is not Python, else ""."""
    spec, info = (notebook.metadata.get(key) or {} for key in ("kernelspec", "language_info"))
    said = str(info.get("name") or spec.get("language") or spec.get("name") or "python")
    return "" if "py" in said.lower() else said


def holds_conflict(text: str) -> bool:
    """Return whether a text holds two versions, as git leaves them where it cannot choose."""
    found = CONFLICT[0].search(text)
    for mark in CONFLICT[1:]:
        found = found and mark.search(text, found.end())
    return found is not None


def check_size(size: int) -> None:
    """Raise UnreadableError for a file of more bytes than a notebook may have."""
    if size > MAX_BYTES:
        raise UnreadableError(
            f"the file has {size:,} bytes, more than the {MAX_BYTES:,} that a notebook may "
            "have; clear its outputs and hand it in again"
        )


def _text(data: bytes) -> tuple[str, list[str]]:
    """Return a file's text from any encoding, and the repairs that reading it took."""
    check_size(len(data))
    for kinds, which in (PACKED, "that is in it"), (MADE, "itself"):
        if kind := next((kind for start, kind in kinds.items() if data.startswith(start)), ""):
            raise UnreadableError(OTHER.format(kind, which))
    if not data.strip(BLANK):
        raise UnreadableError("the file is empty; save the notebook and hand it in again")
    encoding: str = json.detect_encoding(data)
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        if not data.lstrip().startswith(b"{"):
            raise UnreadableError(OTHER.format("no text", "itself")) from error
        encoding, text = "Windows-1252", data.decode("cp1252", "replace")
    whole = text.rstrip("\0")
    repairs = ["zeros at the end of the file were left out"] if whole != text else []
    if not encoding.startswith("utf-8"):
        repairs.append(f"the file was read as {encoding.upper()} text, since it is not UTF-8")
    return whole, repairs


def _notebook(text: str) -> NotebookNode:
    try:
        content = json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        if holds_conflict(text):
            raise UnreadableError(
                "the file holds two versions, as git leaves them where it cannot choose (lines "
                "that begin with <<<<<<< and >>>>>>>); choose one of them, and hand it in again"
            ) from error
        if not text.lstrip().startswith("{"):
            raise UnreadableError(OTHER.format(_kind(text.lstrip()), "itself")) from error
        raise UnreadableError(
            f"the file is not a notebook: its JSON ends or breaks at line {error.lineno} "
            f"({error.msg}); if Jupyter opens it, save it there and hand it in again, else hand in "
            "an earlier copy"
        ) from error
    except (ValueError, RecursionError) as error:
        raise UnreadableError(NO_NOTEBOOK) from error
    try:
        return _of_version_4(content)
    except (UnreadableError, MemoryError):
        raise
    except Exception as error:
        raise UnreadableError(NO_NOTEBOOK) from error


def _kind(text: str) -> str:
    """Return what a file is that holds no JSON."""
    if text.startswith("<"):
        return "a web page"
    return "no text" if re.search(r"[\x00-\x08\x0e-\x1f]|^GIF8", text) else "a text or a program"


def _of_version_4(content: Any) -> NotebookNode:
    """Return a notebook of any version as one of version 4, including damaged cells."""
    if "nbformat" not in content and content.get("type") == "notebook":
        content = content["content"]  # as a Jupyter server wraps it
    if content["nbformat"] in (2, 3):
        cells = [_of_version_3(cell) for sheet in content["worksheets"] for cell in sheet["cells"]]
        content = {"nbformat": 4, "metadata": content.get("metadata"), "cells": cells}
    if content["nbformat"] != 4:
        raise ValueError("unknown version")
    if len(content["cells"]) > MAX_CELLS:
        raise UnreadableError(
            f"the notebook has {len(content['cells']):,} cells, more than the {MAX_CELLS:,} that "
            "it may have; delete what you do not need, save it, and hand it in again"
        )
    cells = [_tidy(cell) for cell in content["cells"]]
    sources = [one.get("source") for one in cells if isinstance(one, dict)]
    long = sum(len(one) for one in sources if isinstance(one, str))
    if long > MAX_CHARACTERS:
        raise UnreadableError(
            f"the cells of the notebook have {long:,} characters, more than the {MAX_CHARACTERS:,} "
            "that it may have; put data into a file, save the notebook, and hand it in again"
        )
    metadata, minor = content.get("metadata"), content.get("nbformat_minor")
    return nbformat.from_dict(  # type: ignore[no-any-return]
        {
            "cells": cells,
            "metadata": metadata if isinstance(metadata, dict) else {},
            "nbformat": 4,
            "nbformat_minor": minor if type(minor) is int else 5,
        }
    )


def _of_version_3(cell: Any) -> Any:
    """Return a cell of version 3 as one of version 4: headings are text there."""
    if isinstance(cell, dict) and cell.get("cell_type") == "code":
        return {**cell, "source": cell.get("input", cell.get("source"))}
    if isinstance(cell, dict) and cell.get("cell_type") == "heading":
        words = cell.get("source")
        if isinstance(words, str | list):
            return {**cell, "cell_type": "markdown", "source": ["# ", *words]}
    return cell


def _tidy(cell: Any) -> Any:
    """Join the lines of a cell's source, give it metadata if it has none, clear its outputs."""
    if not isinstance(cell, dict):
        return cell
    source, metadata = cell.get("source"), cell.get("metadata")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if isinstance(source, str):  # without lone surrogates and zeros
        source = source.encode("utf-8", "replace").decode("utf-8").replace("\0", "")
    code = cell.get("cell_type") == "code"
    left = {key: value for key, value in cell.items() if code or key != "outputs"}
    empty: dict[str, Any] = {"outputs": [], "execution_count": None} if code else {}
    metadata = metadata if isinstance(metadata, dict) else {}
    return {**left, **empty, "source": source, "metadata": metadata}
