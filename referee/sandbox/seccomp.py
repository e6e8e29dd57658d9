"""Refuse the system calls that a notebook has no use for and an attacker has.

A filter of the kernel's (seccomp), written here as the few instructions that it needs; the rest of
the system works as usual. Standard library only.

Sources: seccomp(2); `linux/filter.h`, `linux/seccomp.h` and the kernel's tables of system calls.
"""

import ctypes
import errno
import os
import struct
from collections.abc import Mapping

LOAD, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, JUMP_IF_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
AT_NUMBER, AT_ARCHITECTURE, AT_FIRST_ARGUMENT = 0, 4, 16
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
NEW_NAMESPACES = 0x7E020000  # all CLONE_NEW... flags of clone(2)
OTHER_ABI = 0x40000000  # numbers of x32 on x86_64
PR_SET_SECCOMP, MODE_FILTER = 22, 2
CLONE3 = 435

# System calls that have the same number everywhere, being newer than 2018.
NEW_CALLS = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428,
    "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
    "pidfd_open": 434, "pidfd_getfd": 438, "process_madvise": 440, "mount_setattr": 442,
}  # fmt: skip
CALLS: Mapping[str, Mapping[str, int]] = {
    "x86_64": {
        "socket": 41, "ptrace": 101, "syslog": 103, "personality": 135, "pivot_root": 155,
        "adjtimex": 159, "chroot": 161, "acct": 163, "settimeofday": 164, "mount": 165,
        "umount2": 166, "swapon": 167, "swapoff": 168, "reboot": 169, "sethostname": 170,
        "setdomainname": 171, "iopl": 172, "ioperm": 173, "init_module": 175, "delete_module": 176,
        "quotactl": 179, "clock_settime": 227, "kexec_load": 246, "add_key": 248,
        "request_key": 249, "keyctl": 250, "mknod": 133, "mknodat": 259, "unshare": 272,
        "perf_event_open": 298, "name_to_handle_at": 303, "open_by_handle_at": 304,
        "clock_adjtime": 305, "setns": 308, "process_vm_readv": 310, "process_vm_writev": 311,
        "kcmp": 312, "finit_module": 313, "kexec_file_load": 320, "bpf": 321, "userfaultfd": 323,
    },
    "aarch64": {
        "socket": 198, "ptrace": 117, "syslog": 116, "personality": 92, "pivot_root": 41,
        "adjtimex": 171, "chroot": 51, "acct": 89, "settimeofday": 170, "mount": 40,
        "umount2": 39, "swapon": 224, "swapoff": 225, "reboot": 142, "sethostname": 161,
        "setdomainname": 162, "init_module": 105, "delete_module": 106,
        "quotactl": 60, "clock_settime": 112, "kexec_load": 104, "add_key": 217,
        "request_key": 218, "keyctl": 219, "mknodat": 33, "unshare": 97,
        "perf_event_open": 241, "name_to_handle_at": 264, "open_by_handle_at": 265,
        "clock_adjtime": 266, "setns": 268, "process_vm_readv": 270, "process_vm_writev": 271,
        "kcmp": 272, "finit_module": 273, "kexec_file_load": 294, "bpf": 280, "userfaultfd": 282,
    },
}  # fmt: skip
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
CLONE = {"x86_64": 56, "aarch64": 220}


def confine() -> bool:
    """Install the filter for this process and all that it starts; False where that cannot be.

    The process must have set no_new_privs, or be privileged.
    """
    machine = os.uname().machine
    if machine not in CALLS:
        return False
    code = ctypes.create_string_buffer(program(machine))
    library = ctypes.CDLL(None, use_errno=True)

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]

    filter_ = Program(len(code) // 8, ctypes.addressof(code))
    done = library.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(filter_), 0, 0)
    return bool(done == 0)


def program(machine: str) -> bytes:
    """Return the filter's instructions: refuse what is listed, allow the rest.

    A call by another numbering than the machine's own is refused whatever it is. `clone3` passes
    its flags where a filter cannot see them: it is said not to exist, so that libc takes `clone`.
    """
    allow, refuse = _instruction(RETURN, ALLOW), _instruction(RETURN, REFUSE | errno.EPERM)
    missing = _instruction(RETURN, REFUSE | errno.ENOSYS)
    refused = sorted({*CALLS[machine].values(), *NEW_CALLS.values()})
    lines = [
        _instruction(LOAD, AT_ARCHITECTURE),
        _instruction(JUMP_IF_EQUAL, ARCHITECTURE[machine], yes=1), refuse,
        _instruction(LOAD, AT_NUMBER),
        _instruction(JUMP_IF_AT_LEAST, OTHER_ABI, no=1), refuse,
        _instruction(JUMP_IF_EQUAL, CLONE3, no=1), missing,
    ]  # fmt: skip
    for number in refused:
        lines += [_instruction(JUMP_IF_EQUAL, number, no=1), refuse]
    lines += [
        _instruction(JUMP_IF_EQUAL, CLONE[machine], yes=1), allow,
        _instruction(LOAD, AT_FIRST_ARGUMENT),
        _instruction(JUMP_IF_ANY_BIT, NEW_NAMESPACES, no=1), refuse, allow,
    ]  # fmt: skip
    return b"".join(lines)


def _instruction(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    """Return one instruction; a jump skips that many lines when its test says yes or no."""
    return struct.pack("HBBI", code, yes, no, value)
