"""Let a process read some folders, write to one, and reach nothing else of the file system.

The kernel's Landlock, for machines that do not offer namespaces. Standard library only.

Sources: landlock(7); `linux/landlock.h`.
"""

import contextlib
import ctypes
import os
import struct
from collections.abc import Mapping
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION, PATH_BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14  # truncate
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # how many rights a version knows; 16 from version 5 on
NETWORK_SINCE, SCOPES_SINCE = 4, 6
BIND_AND_CONNECT, SOCKETS_AND_SIGNALS = 0b11, 0b11


def confine(readable: Mapping[str, bool], work: Path, signals: bool = False) -> bool:
    """Restrict this process and all that it starts; False where the kernel does not offer it.

    What is `readable` may be read and run, or, where that is False, only be listed. With `signals`
    it may still send signals to processes that are not confined. It must have set no_new_privs.
    """
    library = ctypes.CDLL(None, use_errno=True)
    version = library.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION)
    if version < 1:
        return False
    all_rights = (1 << RIGHTS.get(version, 16)) - 1
    rules = struct.pack(
        "QQQ",
        all_rights,
        BIND_AND_CONNECT if version >= NETWORK_SINCE else 0,
        SOCKETS_AND_SIGNALS if version >= SCOPES_SINCE and not signals else 0,
    )
    size = 24 if version >= SCOPES_SINCE else 16 if version >= NETWORK_SINCE else 8
    ruleset = library.syscall(CREATE_RULESET, rules, ctypes.c_size_t(size), 0)
    if ruleset < 0:
        return False
    try:
        for path, whole in readable.items():
            rights = EXECUTE | READ_FILE | READ_FOLDER if whole else READ_FOLDER
            _allow(library, ruleset, path, rights)
        _allow(library, ruleset, "/dev/null", EXECUTE | READ_FILE | WRITE_FILE)
        _allow(library, ruleset, str(work), all_rights)
        return bool(library.syscall(RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _allow(library: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    with contextlib.suppress(OSError):  # what is not there need not be allowed
        descriptor = os.open(path, os.O_PATH)
        try:
            path_rights = rights if Path(path).is_dir() else rights & FILE_RIGHTS
            rule = struct.pack("=Qi", path_rights, descriptor)
            library.syscall(ADD_RULE, ruleset, PATH_BENEATH, rule, 0)
        finally:
            os.close(descriptor)
