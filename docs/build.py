"""Build the whole site: `python docs/build.py`, into build/site.

The pages of the course and, in `engine/`, those of the tool are copied into one folder, from which
Sphinx makes the site; a warning, as of a link between pages that leads nowhere, is an error. Below
them, in `lite/`, lies JupyterLite, unless `--no-lite` is said.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import lite

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PAGES = ROOT / "build" / "pages"
SITE = ROOT / "build" / "site"


def copy_pages(into: Path) -> None:
    """Copy the pages of both products into a folder, with links that lead from one to the other.

    In the repository the way is `../engine/docs/design.md`, on the site `engine/design.html`.
    """
    shutil.rmtree(into, ignore_errors=True)
    shutil.copytree(ROOT / "engine" / "docs", into / "engine")
    shutil.copytree(DOCS, into, dirs_exist_ok=True, ignore=shutil.ignore_patterns("_*", "*.py"))
    for page in DOCS.rglob("*.md"):
        text = re.sub(r"\.\./((?:\.\./)*engine/)docs/", r"\1", page.read_text("utf-8"))
        (into / page.relative_to(DOCS)).write_text(text, "utf-8")


def write_commands(file: Path) -> None:
    """Write the reference of the command line, from the help texts of the commands.

    Left out is typer's list of them, which cuts each text short: they follow one by one.
    """
    typer = [sys.executable, "-m", "typer", "referee.commands", "utils", "docs", "--name=referee"]
    process = subprocess.run(typer, capture_output=True, text=True, check=True)
    file.write_text(re.sub(r"(?s)\*\*Commands\*\*:.*?(?=\n##+ )", "", process.stdout), "utf-8")


def main() -> None:
    """Build the site, and end with a message if anything is amiss."""
    shutil.rmtree(SITE, ignore_errors=True)
    copy_pages(PAGES)
    write_commands(PAGES / "engine" / "reference" / "commands.md")
    sphinx = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-E"]
    places = ["-c", str(DOCS), "-d", str(ROOT / "build" / "doctrees"), str(PAGES), str(SITE)]
    if subprocess.run([*sphinx, *places], check=False).returncode:
        sys.exit("The pages could not be built; the messages above say why.")
    if "--no-lite" not in sys.argv:
        lite.build(SITE / "lite")
    print(f"To look at it: python -m http.server -d {SITE}")


if __name__ == "__main__":
    main()
