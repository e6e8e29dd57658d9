"""Find out what isolates student code on this machine, and how to get what is missing."""

import sys
from collections.abc import Sequence

import msgspec

from referee.model import Limits
from referee.sandbox.outside.zygote import NAMESPACES, Zygote, shut_off
from referee.sandbox.wire import messages


class Machine(msgspec.Struct):
    """What isolates student code on a machine: the fields are its JSON."""

    shut_off: bool
    layers: list[str]
    missing: list[str]


def examined() -> Machine:
    """Return what isolates student code here, and what is missing."""
    layers, why = survey(Limits(unsafe=True))
    return Machine(shut_off(layers), layers, advice(layers, why))


def survey(limits: Limits) -> tuple[list[str], str]:
    """Return the layers that a submission gets here, and why there are no namespaces, if so.

    Raises NoIsolationError as `Zygote.fork` does.
    """
    with Zygote(limits) as zygote:
        copy = zygote.fork(messages.Fork())
        copy.end()
        return list(copy.layers), zygote.without


def advice(layers: Sequence[str], why: str) -> list[str]:
    """Return what is missing, a line each, with how to get it; `why` there are no namespaces."""
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
