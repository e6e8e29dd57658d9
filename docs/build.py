"""Build the whole site: `python docs/build.py`, into build/site.

The pages of the course and, in `engine/`, those of the tool are copied into one folder, from which
Sphinx makes the site; a warning is an error. Below them, in `lite/`, lies JupyterLite. Last, every
link between the files of the site is followed. `--no-lite` leaves JupyterLite out.
"""

import argparse
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import lite

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PAGES = ROOT / "build" / "pages"
SITE = ROOT / "build" / "site"


class Page(HTMLParser):
    """Collect the links and the anchors of a page."""

    def __init__(self, file: Path) -> None:
        """Read the page."""
        super().__init__()
        self.links: list[str] = []
        self.anchors = {""}
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the tag links to, and what it can be linked by."""
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name == "id" and value:
                self.anchors.add(value)


def broken_links(site: Path) -> list[str]:
    """Return each link of a page to a file or an anchor of the site that is not there."""
    own = [file for file in site.rglob("*.html") if "lite" not in file.relative_to(site).parts]
    pages = {file.resolve(): Page(file) for file in own}
    broken = []
    for file, page in pages.items():
        for link in page.links:
            address, anchor = urldefrag(link)
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            missing = not target.exists()
            if missing or (target in pages and unquote(anchor) not in pages[target].anchors):
                broken.append(f"{file.relative_to(site.resolve())}: {link}")
    return broken


def copy_pages(into: Path) -> None:
    """Copy the pages of both products into a folder, with links that lead from one to the other.

    In the repository the way is `../engine/docs/design.md`, on the site `engine/design.html`.
    """
    shutil.rmtree(into, ignore_errors=True)
    shutil.copytree(ROOT / "engine" / "docs", into / "engine")
    for file in DOCS.rglob("*.md"):
        page = file.relative_to(DOCS)
        up = "../" * (len(page.parts) - 1)
        text = file.read_text("utf-8").replace(f"../{up}engine/docs/", f"{up}engine/")
        (into / page).parent.mkdir(parents=True, exist_ok=True)
        (into / page).write_text(text, "utf-8")
    shutil.copytree(DOCS / "pictures", into / "pictures")


def main() -> None:
    """Build the site, and end with a message if anything is amiss."""
    parser = argparse.ArgumentParser(description="Build the site into build/site.")
    parser.add_argument("--no-lite", action="store_true", help="only the pages")
    pages_only = parser.parse_args().no_lite
    shutil.rmtree(SITE, ignore_errors=True)
    copy_pages(PAGES)
    sphinx = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-E"]
    places = ["-c", str(DOCS), "-d", str(ROOT / "build" / "doctrees"), str(PAGES), str(SITE)]
    done = subprocess.run([*sphinx, *places], check=False)
    if done.returncode:
        sys.exit("The pages could not be built; the messages above say why.")
    if not pages_only:
        lite.build(SITE / "lite")
    broken = [link for link in broken_links(SITE) if not (pages_only and "lite/" in link)]
    if broken:
        sys.exit("These links lead nowhere:\n" + "\n".join(broken))
    size = sum(file.stat().st_size for file in SITE.rglob("*") if file.is_file())
    print(f"{SITE}: {size / 1e6:.0f} MB. To look at it: python -m http.server -d {SITE}")


if __name__ == "__main__":
    main()
