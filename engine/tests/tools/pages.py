"""Read what pages say: their links, what is to be typed, and names of the code."""

import importlib
import re
from pathlib import Path

FILES = (".txt", ".toml", ".py", ".md")  # which are no names of the code


def links(page: Path) -> list[Path]:
    """Return the files that a page links to, other sites left out."""
    found = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    return [(page.parent / link).resolve() for link in found]


def block(page: Path, heading: str, kind: str = "sh") -> str:
    """Return the only block of code of a kind below a heading, by default the lines to type."""
    section = page.read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    (code,) = re.findall(rf"(?ms)^```{kind}\n(.*?)^```$", section)
    return str(code)


def unknown(page: Path, *packages: str) -> list[str]:
    """Return what a page names with a dot, or behind a module and a colon, and cannot be imported.

    A name is one as it stands, or within one of the packages.
    """
    text = page.read_text("utf-8")
    names = set(re.findall(r"`([a-z_]+(?:\.\w+)+)`", text))
    for module, listed in re.findall(r"`([\w.]+)`: ((?:`[^`]+`(?:, )?)+)", text):
        names |= {f"{module}.{name}" for name in re.findall(r"`(\w+)(?:\([^`]*\))?`", listed)}
    return [
        name
        for name in sorted(names)
        if not name.endswith(FILES)
        and not any(_exists(place) for place in (name, *(f"{one}.{name}" for one in packages)))
    ]


def _exists(name: str) -> bool:
    """Return whether a dotted name is a module, or something in one."""
    parent, _, last = name.rpartition(".")
    try:
        return hasattr(importlib.import_module(parent), last) or bool(importlib.import_module(name))
    except ModuleNotFoundError:
        return False
