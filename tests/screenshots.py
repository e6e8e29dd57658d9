"""Make the pictures of the documentation: `python tests/screenshots.py docs/pictures`.

They are screenshots that the tests in a browser keep, without the empty space, in few colours.
"""

import os
import sys
import tempfile
from pathlib import Path

import pytest
from PIL import Image, ImageChops

CHOSEN = ("connect-four",)
BORDER, COLOURS = 12, 128


def cropped(picture: Image.Image) -> Image.Image:
    """Return a picture without the empty space around what is shown."""
    empty = Image.new("RGB", picture.size, "white")
    left, top, right, bottom = ImageChops.difference(picture, empty).getbbox() or (0, 0, 1, 1)
    content = picture.crop((left, top, right, bottom))
    size = content.width + 2 * BORDER, content.height + 2 * BORDER
    framed = Image.new("RGB", size, "white")
    framed.paste(content, (BORDER, BORDER))
    return framed.quantize(COLOURS)


def main(folder: Path) -> int:
    """Run the tests in a browser and keep the chosen pictures; return their status."""
    with tempfile.TemporaryDirectory() as kept:
        os.environ["PICTURES"] = kept
        status = pytest.main(["-q", "-n", "0", str(Path(__file__).parent / "test_browser.py")])
        folder.mkdir(parents=True, exist_ok=True)
        for name in CHOSEN:
            picture = Image.open(Path(kept) / f"{name}.png").convert("RGB")
            cropped(picture).save(folder / f"{name}.png", optimize=True)
    return int(status)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
