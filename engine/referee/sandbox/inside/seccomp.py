"""Refuse the system calls that a notebook has no use for and an attacker has.

A filter of the kernel's (seccomp), written here as the few instructions that it needs; the rest of
the system works as usual. Standard library only.

Sources: seccomp(2); `linux/filter.h`, `linux/seccomp.h` and the kernel's tables of system calls.
"""

import ctypes
import errno
import os
import struct
from collections.abc import Collection, Mapping

LOAD, JUMP, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, JUMP_IF_ANY_BIT = 0x20, 0x05, 0x15, 0x35, 0x45
RETURN = 0x06
AT_NUMBER, AT_ARCHITECTURE = 0, 4
AT_FIRST_ARGUMENT, AT_SECOND_ARGUMENT, AT_THIRD_ARGUMENT = 16, 24, 32  # its low half
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
PRETEND = REFUSE  # error number 0: nothing is done, and that is said to be well
# Flags of clone(2): all CLONE_NEW...; what is shared with the new process, but for a thread and for
# one that the old one waits for.
NEW_NAMESPACES, SHARED_MEMORY, SHARED_FOLDER_AND_FILES = 0x7E020000, 0x100, 0x600
THREAD, WAITED_FOR = 0x10000, 0x4000
OTHER_ABI = 0x40000000  # numbers of x32 on x86_64
PR_SET_SECCOMP, MODE_FILTER = 22, 2
CLONE3, OPENAT2 = 435, 437

# System calls that have the same number everywhere, being newer than 2018. What is newer than these
# tables has been looked at by nobody: statmount, open_tree_attr, setxattrat and all that will come.
NEWER = 457
NEW_CALLS = {
    "pidfd_send_signal": 424, "io_uring_setup": 425, "io_uring_enter": 426,
    "io_uring_register": 427, "open_tree": 428, "move_mount": 429, "fsopen": 430,
    "fsconfig": 431, "fsmount": 432, "fspick": 433,
    "pidfd_open": 434, "pidfd_getfd": 438, "process_madvise": 440, "mount_setattr": 442,
    "quotactl_fd": 443, "memfd_secret": 447, "process_mrelease": 448,
}  # fmt: skip
MACHINES = "x86_64", "aarch64"


def _by_machine(table: Mapping[str, tuple[int | None, ...]]) -> Mapping[str, Mapping[str, int]]:
    """Return the numbers of calls by machine and name, where a machine has them."""
    return {
        machine: {name: number for name, row in table.items() if (number := row[at]) is not None}
        for at, machine in enumerate(MACHINES)
    }


CALLS = _by_machine({
    "socket": (41, 198), "ptrace": (101, 117), "syslog": (103, 116), "personality": (135, 92),
    "pivot_root": (155, 41), "adjtimex": (159, 171), "chroot": (161, 51), "acct": (163, 89),
    "settimeofday": (164, 170), "mount": (165, 40), "umount2": (166, 39), "swapon": (167, 224),
    "swapoff": (168, 225), "reboot": (169, 142), "sethostname": (170, 161),
    "setdomainname": (171, 162), "iopl": (172, None), "ioperm": (173, None),
    "init_module": (175, 105), "delete_module": (176, 106), "quotactl": (179, 60),
    "clock_settime": (227, 112), "kexec_load": (246, 104), "add_key": (248, 217),
    "request_key": (249, 218), "keyctl": (250, 219), "mknod": (133, None), "mknodat": (259, 33),
    "unshare": (272, 97), "perf_event_open": (298, 241), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "clock_adjtime": (305, 266), "setns": (308, 268),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "finit_module": (313, 273), "kexec_file_load": (320, 294), "bpf": (321, 280),
    "userfaultfd": (323, 282), "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195),
    "semget": (64, 190), "semop": (65, 193), "semctl": (66, 191), "msgget": (68, 186),
    "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187), "semtimedop": (220, 192),
    "mq_open": (240, 180), "mq_unlink": (241, 181), "memfd_create": (319, 279),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119), "sched_setaffinity": (203, 122), "sched_setattr": (314, 274),
    "ioprio_set": (251, 30), "migrate_pages": (256, 238), "move_pages": (279, 239),
    "get_robust_list": (274, 100), "inotify_init": (253, None), "inotify_init1": (294, 26),
    "fanotify_init": (300, 262), "io_setup": (206, 0), "setsockopt": (54, 208),
})  # fmt: skip
# What changes a file by its name or owner, which Landlock does not look at.
FILE_CALLS = _by_machine({
    "chmod": (90, None), "fchmod": (91, 52), "chown": (92, None), "fchown": (93, 55),
    "lchown": (94, None), "utime": (132, None), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15),
    "fremovexattr": (199, 16), "utimes": (235, None), "fchownat": (260, 54),
    "futimesat": (261, None), "fchmodat": (268, 53), "utimensat": (280, 88),
    "fchmodat2": (452, 452),
})  # fmt: skip
# Locks of files that all submissions can open would keep others waiting, and tell them something.
# They do nothing, and say it is done.
FLOCK, OF_LOCKS = {"x86_64": 73, "aarch64": 32}, (5, 6, 7, 36, 37, 38)
# Calls that concern a process by its id, by the place of an argument that must be 0, which is who
# calls: limits and priority can be changed. Where other processes are in sight nothing is read of
# them, either: group, session, scheduling; priorities of processor and disk. libc does that with a
# thread's id, and goes on where the kernel has no such call.
OWN_CALLS: Mapping[str, Mapping[int, tuple[int, ...]]] = {
    "x86_64": {AT_FIRST_ARGUMENT: (302, 141), AT_SECOND_ARGUMENT: (141,)},
    "aarch64": {AT_FIRST_ARGUMENT: (261, 140), AT_SECOND_ARGUMENT: (140,)},
}
OWN_READS: Mapping[str, Mapping[int, tuple[int, ...]]] = {
    "x86_64": {
        AT_FIRST_ARGUMENT: (121, 124, 143, 145, 148, 204, 315), AT_SECOND_ARGUMENT: (140, 252)
    },
    "aarch64": {
        AT_FIRST_ARGUMENT: (155, 156, 121, 120, 127, 123, 275), AT_SECOND_ARGUMENT: (141, 31)
    },
}  # fmt: skip
# Calls that take a clock: those of another process have negative numbers.
CLOCKS = {"x86_64": (222, 228, 229, 230), "aarch64": (107, 113, 114, 115)}
NEGATIVE = 0x80000000
# Single requests of calls that are useful otherwise: the signal at a parent's death, hiding from
# the referee, taking orphans in and sharing a core; who gets a signal of a file or socket, and
# which; to be asked before others open a file, and told what they do in a folder; catching the
# signal that libc has taken for itself, and that of a child's end: the kernel adds the time of a
# child that nobody waits for to nobody's. Of ioctl's requests only those of terminals and pipes are
# let through, as others change files by descriptors that may only read them.
PRCTL = {"x86_64": 157, "aarch64": 167}
FCNTL = {"x86_64": 72, "aarch64": 25}
IOCTL = {"x86_64": 16, "aarch64": 29}
SIGACTION = {"x86_64": 13, "aarch64": 134}
OF_PRCTL, OF_FCNTL = (1, 4, 36, 62), (8, 10, 15, 1024, 1026)
OF_TERMINALS = 0x5400, 0x5500
OF_SIGACTION = (17, 33)
# Calls that open a file, by the place of their flags. Those of mode 3 ask Landlock for no right.
OPEN: Mapping[str, Mapping[int, int]] = {
    "x86_64": {AT_SECOND_ARGUMENT: 2, AT_THIRD_ARGUMENT: 257}, "aarch64": {AT_THIRD_ARGUMENT: 56}
}  # fmt: skip
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
CLONE = {"x86_64": 56, "aarch64": 220}


def confine(files: bool) -> bool:
    """Install the filter for this process and all that it starts; False where that cannot be.

    With `files` modes, owners and times of files stay as they are. The process must have set
    no_new_privs, or be privileged.
    """
    machine = os.uname().machine
    if machine not in CALLS:
        return False
    code = ctypes.create_string_buffer(program(machine, files))
    library = ctypes.CDLL(None, use_errno=True)

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]

    filter_ = Program(len(code) // 8, ctypes.addressof(code))
    status = library.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(filter_), 0, 0)
    return bool(status == 0)


def program(machine: str, files: bool) -> bytes:
    """Return the filter's instructions: refuse what is listed or newer, allow the rest.

    A call by another numbering than the machine's own is refused whatever it is. `clone3` and
    `openat2` pass their flags where a filter cannot see them: they are said not to exist, so that
    libc takes `clone`.
    Locks of files do nothing, and say it is done; with `files` so do calls that change a file's
    mode, owner or times.
    """
    allow, refuse = _instruction(RETURN, ALLOW), _instruction(RETURN, REFUSE | errno.EPERM)
    missing = _instruction(RETURN, REFUSE | errno.ENOSYS)
    lines = [
        _instruction(LOAD, AT_ARCHITECTURE),
        _instruction(JUMP_IF_EQUAL, ARCHITECTURE[machine], yes=1), refuse,
        _instruction(LOAD, AT_NUMBER),
        _instruction(JUMP_IF_AT_LEAST, OTHER_ABI, no=1), refuse,
        _instruction(JUMP_IF_AT_LEAST, NEWER, no=1), missing,
        *_any_of((CLONE3, OPENAT2), missing),
        *_any_of({*CALLS[machine].values(), *NEW_CALLS.values()}, refuse),
    ]  # fmt: skip
    pretend = _instruction(RETURN, PRETEND)
    lines += _any_of([FLOCK[machine], *(FILE_CALLS[machine].values() if files else ())], pretend)

    def if_(calls: Collection[int], place: int, *test: bytes, answer: bytes = refuse) -> None:
        """Answer some calls, unless a test of the argument at a place skips the answer."""
        load, again = _instruction(LOAD, place), _instruction(LOAD, AT_NUMBER)
        lines.extend(_any_of(calls, load, *test, answer, again))

    for table, answer in ((OWN_CALLS, refuse), *([(OWN_READS, missing)] if files else [])):
        for place, calls in table[machine].items():
            if_(calls, place, _instruction(JUMP_IF_EQUAL, 0, yes=1), answer=answer)
    if_(CLOCKS[machine], AT_FIRST_ARGUMENT, _instruction(JUMP_IF_AT_LEAST, NEGATIVE, no=1))
    for call, place, requests, answer in (
        (PRCTL, AT_FIRST_ARGUMENT, OF_PRCTL, refuse), (FCNTL, AT_SECOND_ARGUMENT, OF_FCNTL, refuse),
        (FCNTL, AT_SECOND_ARGUMENT, OF_LOCKS, pretend),
        (SIGACTION, AT_FIRST_ARGUMENT, OF_SIGACTION, refuse),
    ):  # fmt: skip
        if_([call[machine]], place, *_any_of(requests)[:-1], _instruction(JUMP, 1), answer=answer)
    least, beyond = OF_TERMINALS
    terminals = [_instruction(JUMP_IF_AT_LEAST, number, yes=1) for number in (beyond, least)]
    other = _instruction(RETURN, REFUSE | errno.EOPNOTSUPP)  # after which Python copies otherwise
    if_([IOCTL[machine]], AT_SECOND_ARGUMENT, *terminals, answer=other)
    both_bits = [_instruction(JUMP_IF_ANY_BIT, bit, no=3 - bit) for bit in (1, 2)]
    for place, number in OPEN[machine].items():
        if_([number], place, *both_bits)
    lines += [
        _instruction(JUMP_IF_EQUAL, CLONE[machine], yes=1), allow,
        _instruction(LOAD, AT_FIRST_ARGUMENT),
        _instruction(JUMP_IF_ANY_BIT, NEW_NAMESPACES, no=1), refuse,
        _instruction(JUMP_IF_ANY_BIT, THREAD, no=1), allow,
        _instruction(JUMP_IF_ANY_BIT, SHARED_FOLDER_AND_FILES, no=1), refuse,
        _instruction(JUMP_IF_ANY_BIT, WAITED_FOR, no=1), allow,
        _instruction(JUMP_IF_ANY_BIT, SHARED_MEMORY, no=1), refuse, allow,
    ]  # fmt: skip
    return b"".join(lines)


def _any_of(values: Collection[int], *answer: bytes) -> list[bytes]:
    """Return instructions that do what follows if the loaded value is one of these, or skip it."""
    tests = [
        _instruction(JUMP_IF_EQUAL, value, yes=len(values) - number)
        for number, value in enumerate(sorted(values))
    ]
    return [*tests, _instruction(JUMP, len(answer)), *answer]


def _instruction(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    """Return one instruction; a jump skips that many lines when its test says yes or no."""
    return struct.pack("HBBI", code, yes, no, value)
