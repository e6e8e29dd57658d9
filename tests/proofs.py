"""Remember the long proofs that have passed, so that one is done again only when it can fail.

What is remembered is a digest in `.referee/proofs`, which can be deleted at any time: of the test,
its file and what that imports of the course, of Python and of the packages that it names. FORCE in
the environment does all proofs anew.
"""

import contextlib
import os
import platform
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from referee.judging import digests

ROOT = Path(__file__).parents[1]
PASSED = ROOT / ".referee" / "proofs"


@contextlib.contextmanager
def once(request: pytest.FixtureRequest, *packages: str) -> Iterator[None]:
    """Skip a test that has passed as it is; remember it when its body, which follows, passes."""
    done = PASSED / key(request.node.name, request.path, *packages)
    if done.exists() and not os.environ.get("FORCE"):
        pytest.skip("proved before, and nothing that it depends on has changed")
    yield
    PASSED.mkdir(parents=True, exist_ok=True)
    done.touch()


def key(name: str, file: Path, *packages: str) -> str:
    """Return the digest of all that decides whether a test of a file passes."""
    files = [Path(__file__), file, *digests.imported(ROOT, [file])]
    return digests.digest(
        name,
        [(str(one.relative_to(ROOT)), one.read_bytes()) for one in files],
        platform.python_version(),
        [(package, metadata.version(package)) for package in packages],
    )
