"""A warm process behind each set of layers that a machine may offer."""

from collections.abc import Iterator

import pytest

from referee.model import Limits
from referee.sandbox.outside.server import Server


@pytest.fixture(scope="module", params=["namespaces", "landlock"])
def walled(request: pytest.FixtureRequest) -> Iterator[Server]:
    """Give a server behind each set of layers; skip none that this machine offers."""
    namespaces = request.param == "namespaces"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSE_TOKEN", "secret")
        with Server(Limits(memory_bytes=1024**3), namespaces=namespaces) as server:
            server.fork().close()
            if namespaces and server.without:
                pytest.skip(f"no namespaces here: {server.without}")
            yield server
