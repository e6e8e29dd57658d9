"""Find the layers that isolate student code on this machine, and how to get missing ones."""

import sys
from collections.abc import Sequence

from referee.model import Limits
from referee.sandbox.outside.server import NAMESPACES, Server


def survey(limits: Limits) -> tuple[list[str], str]:
    """Return the layers that a submission gets here, and why it has no namespaces, or "".

    Raises NoIsolationError as `Server.fork` does.
    """
    with Server(limits) as server:
        process = server.fork()
        process.close()
        return list(process.layers), server.without


def advice(layers: Sequence[str], why: str) -> list[str]:
    """Return a line for each missing layer, with how to get it; `why` is about namespaces."""
    if sys.platform != "linux":
        return [
            f"{sys.platform} offers no isolation that is used here: grade on Linux, in a virtual "
            "machine or in WSL 2, or with --unsafe if you trust what was handed in"
        ]
    missing = []
    if NAMESPACES[0] not in layers:
        missing.append(
            f"{', '.join(NAMESPACES)}: no namespaces ({why}). Ubuntu 24.04 switches them off: "
            "`sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`; Docker needs "
            "`--security-opt seccomp=unconfined --cap-add SYS_ADMIN`"
        )
        if "Landlock" not in layers:
            missing.append("Landlock: needs Linux 5.13 or newer with landlock among its LSMs")
    if "own user" not in layers:
        missing.append("own user: only root can give student code one; `sudo` does, where you may")
    if "system call filter" not in layers:
        missing.append("system call filter: needs x86_64 or aarch64 and a kernel with seccomp")
    return missing
