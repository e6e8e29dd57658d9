"""Lock the player in: the layers of isolation, from inside the process that they confine.

`enter` is called by the process of each submission before it has seen any of the student's code.
Which layers there are depends on the machine; it returns the names of those it has put up. Linux
only: elsewhere there are none. It runs in the player.

Sources: the manual pages namespaces(7), pivot_root(2), mount_setattr(2), capabilities(7), prctl(2),
seccomp(2) and landlock(7).
"""

import contextlib
import ctypes
import functools
import os
import resource
import signal
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from referee.model import SYSTEM
from referee.sandbox.inside import landlock, seccomp
from referee.sandbox.inside.folders import supervise

NOBODY = 65534
# With the number of a process added: users that nobody else is. The second are those of systemd's
# passing services, for containers, whose users end at 65535.
OWN_USERS, FEW_USERS, FEW = 0x7000_0000, 61184, 4096
WORK = "/home/student"  # where a submission lives, when it has a file system of its own
FILES = 4096  # in a submission's folder
OPEN_FILES = 256
TIMERS = 1000
CONFIG = "pyvenv.cfg"  # of a virtual environment
UMASK = 0o022  # whatever the grader's is

NEWNS, NEWUTS, NEWIPC = 0x00020000, 0x04000000, 0x08000000
NEWUSER, NEWPID, NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 0x2, 0x4, 0x1000, 0x4000, 0x40000
ATTR_READ_ONLY, ATTR_NOSUID = 0x1, 0x2
AT_FDCWD, AT_RECURSIVE, MNT_DETACH = -100, 0x8000, 0x2
SYS_MOUNT_SETATTR = 442  # the same number on every architecture
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 24, 38
PR_SET_CHILD_SUBREAPER = 36
CAPABILITY_VERSION_3, LAST_CAPABILITY = 0x20080522, 63

NAMESPACES = (
    "read-only system without the course", "no network",
    "own process table", "folder in memory with a limit",
)  # fmt: skip
SETTINGS = ("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives")
DEVICES = ("null", "zero", "full", "random", "urandom")


class UnavailableError(OSError):
    """The machine does not offer a layer."""


def enter(
    home: Path, work: Path, namespaces: bool, processes: int, folder_bytes: int, descriptor: int
) -> list[str]:
    """Confine the process of one submission, which may write to `work` only; return the layers.

    `home` holds `lib`, which the player is imported from, and an empty folder `work`. The process
    may have that many `processes` at a time, as far as they can be counted, and `folder_bytes` in
    files: together where `work` is in memory, else in each. It returns in a child; the caller's
    process waits for it, and restores its folders when the referee asks for it at `descriptor`.
    With `namespaces` the child is the first process of its own process table: when that one ends,
    so does everything that the submission has started. Raises UnavailableError when `namespaces`
    are asked for and the machine does not offer them.
    """
    was_root = os.getuid() == 0
    os.umask(UMASK)  # else the folders of the new root are closed to the user that it is for
    if sys.platform != "linux":
        os.close(descriptor)
        _set_limits(None, folder_bytes)
        return ["resource limits"]
    folders = {work: folder_bytes}
    layers = ["resource limits", "no privileges"]
    if namespaces:
        folders[Path("/dev/shm")] = folder_bytes // 4
        try:
            _enter_namespaces(home, folders)
        except OSError as error:  # whatever the machine refuses on the way
            raise UnavailableError(*error.args) from error
        layers = [*NAMESPACES, *layers]
    elif was_root:
        for user in OWN_USERS + os.getpid(), FEW_USERS + os.getpid() % FEW:
            if _give_up_root(home, user, work):
                break
    own_user = was_root and os.getuid() != 0
    _prctl(PR_SET_CHILD_SUBREAPER, 1)  # what a submission leaves behind stays below this process
    if child := os.fork():
        os.dup2(descriptor, 0)
        os.closerange(1, OPEN_FILES)
        if not namespaces:  # it reaches no more than the child, but for processes that it ends
            _prctl(PR_SET_NO_NEW_PRIVS, 1)
            landlock.confine({"/proc": True}, work, signals=True)
        supervise(child, 0, [*folders], folder_bytes)
    os.setsid()
    os.close(descriptor)
    null = os.open("/dev/null", os.O_RDWR)
    for stream in range(3):  # no open file is shared with another submission
        os.dup2(null, stream)
    os.close(null)
    _set_limits(processes if namespaces or own_user else None, folder_bytes)
    _drop_capabilities()
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    if not namespaces and landlock.confine(readable(home), work):
        layers.append("Landlock")
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # which the filter refuses to change
    if seccomp.confine(files=not namespaces):
        layers.append("system call filter")
    return [*layers, *(["own user"] if own_user else [])]


def _enter_namespaces(home: Path, folders: Mapping[Path, int]) -> None:
    """Enter namespaces with a root folder of their own, and `folders` in memory of these sizes."""
    root = os.getuid() == 0
    user, group = os.getuid(), os.getgid()
    flags = NEWNS | NEWIPC | NEWUTS | NEWNET | NEWPID
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    try:
        if root:
            _call(_LIBC.unshare, flags)
        else:
            _call(_LIBC.unshare, flags | NEWUSER)
            _map(proc, user, group)
        _change_root(home, folders)
        if root:
            if not _give_up_root(home, NOBODY):
                raise UnavailableError("an unprivileged user cannot read the Python in use")
            _call(_LIBC.unshare, NEWUSER)
            _map(proc, NOBODY, NOBODY)
    finally:
        os.close(proc)


def _give_up_root(home: Path, user: int, work: Path | None = None) -> bool:
    """Become a user for good, unless there is no such user here, or one who cannot run this Python.

    The user owns the folder `work`.
    """
    groups = os.getgroups()
    paths = [os.__file__, *_packages(home)]
    try:
        os.setgroups([])
        os.setegid(user)
        os.seteuid(user)
        can_read = all(os.access(path, os.R_OK, effective_ids=True) for path in paths)
    except OSError:
        can_read = False
    os.seteuid(0)
    os.setegid(0)
    if not can_read:
        with contextlib.suppress(OSError):
            os.setgroups(groups)
        return False
    if work is not None:
        os.chown(work, user, user)
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    _prctl(PR_SET_DUMPABLE, 1)  # else its own files in /proc belong to root
    return True


def _map(proc: int, user: int, group: int) -> None:
    """Let one user and one group exist in the new user namespace."""
    for name, text in (
        ("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1"),
    ):  # fmt: skip
        descriptor = os.open(f"self/{name}", os.O_WRONLY, dir_fd=proc)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)


def _change_root(home: Path, folders: Mapping[Path, int]) -> None:
    """Make a root folder that holds the system, this Python and `home/lib`, all read-only.

    Files can be written in some `folders`, in memory of these sizes.
    """
    _mount(None, "/", None, MS_REC | MS_PRIVATE)
    new = home / "work"
    _mount("tmpfs", new, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m")
    for path, source in layout(home).items():
        place = Path(f"{new}{path}")
        place.parent.mkdir(parents=True, exist_ok=True)
        if source.startswith("="):
            place.symlink_to(source[1:])
        elif not source:
            _mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, "size=4k")
        else:
            place.mkdir(exist_ok=True) if Path(source).is_dir() else place.touch()
            _mount(source, place, None, MS_BIND | MS_REC)
    user, group = os.getuid() or NOBODY, os.getgid() or NOBODY
    for folder in (*folders, Path("/tmp"), Path("/proc")):
        (new / folder.relative_to("/")).mkdir(parents=True, exist_ok=True)
    (new / "etc/passwd").write_text(f"student:x:{user}:{group}::{WORK}:/bin/sh\n")
    _set_attributes(new, ATTR_READ_ONLY | ATTR_NOSUID)  # at once: each change takes a while
    for folder, size in folders.items():
        options = f"mode=700,uid={user},gid={group},nr_inodes={FILES},size={size}"
        place = new / folder.relative_to("/")
        _mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, options)
    os.chdir(new)
    _call(_LIBC.pivot_root, b".", b".")
    _call(_LIBC.umount2, b".", MNT_DETACH)
    os.chdir("/")


@functools.cache
def _python() -> list[str]:
    """Return where this Python lies, without the packages installed for it (`_hidden_folders`)."""
    program = Path(sys.executable).parent
    places = {sys.base_prefix, sys.base_exec_prefix, str(program), str(program.parent / CONFIG)}
    places |= {os.path.realpath(path) for path in places}
    return [path for path in sorted(places) if not Path(path).is_relative_to("/usr")]


@functools.cache
def _hidden_folders() -> list[Path]:
    """Return the folders of installed packages, which are not shown; a few are shown elsewhere."""
    places = {os.path.realpath(path) for path in (*SYSTEM, *_python(), "/usr/local") if path}
    packages = "lib*/python3*/*-packages"
    return sorted({folder.resolve() for place in places for folder in Path(place).glob(packages)})


def _around(path: Path, hidden_folders: list[Path]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a folder that may be read; with False if only names may be listed."""
    if path in hidden_folders:
        return
    if any(folder.is_relative_to(path) for folder in hidden_folders):
        yield str(path), False
        for part in path.iterdir():
            yield from _around(part, hidden_folders)
    else:
        yield str(path), True


@functools.cache
def layout(home: Path) -> dict[str, str]:
    """Return by path what a root folder shows there: a file or folder of this machine.

    "" is an empty folder, "=usr/bin" a link that leads to usr/bin.
    """
    sources: dict[str, str] = {}
    paths = [*SYSTEM, *SETTINGS, *_python(), str(home / "lib")]
    for path in map(Path, [*paths, *(f"/dev/{name}" for name in DEVICES)]):
        if path.is_symlink():
            sources[str(path)] = f"={path.readlink()}"
        elif path.exists() and not any(str(above) in sources for above in path.parents):
            sources[str(path)] = str(path)
    sources |= dict.fromkeys(map(str, _hidden_folders()), "")
    return sources | _packages(home)


@functools.cache
def readable(home: Path) -> dict[str, bool]:
    """Return what a submission may read where the files of the machine are in sight.

    In folders that are False it may list the names only.
    """
    hidden_folders = _hidden_folders()
    libraries = [str(home / "lib"), str(home / "packages"), *_packages(home).values()]
    devices = [f"/dev/{name}" for name in DEVICES]
    python = (part for path in _python() for part in _around(Path(path), hidden_folders))
    paths = [*SYSTEM, *SETTINGS, "/etc/passwd", *devices, *libraries]
    return dict(python) | dict.fromkeys(paths, True)


def _packages(home: Path) -> dict[str, str]:
    """Return the parts of packages that may be imported: where they are shown, where they lie."""
    return {str(path): str(path.resolve()) for path in (home / "packages").iterdir()}


def _set_limits(processes: int | None, file_bytes: int) -> None:
    """Limit files, open files and, where those of this user are all its own, processes."""
    limits = {resource.RLIMIT_FSIZE: file_bytes, resource.RLIMIT_NOFILE: OPEN_FILES}
    if sys.platform == "linux":  # timers, of which a user has so many in all
        limits[resource.RLIMIT_SIGPENDING] = TIMERS
    if processes is not None:
        limits[resource.RLIMIT_NPROC] = processes
    for limit, most in limits.items():
        resource.setrlimit(limit, (most, most))


def _drop_capabilities() -> None:
    for number in range(LAST_CAPABILITY + 1):
        if _LIBC.prctl(PR_CAPBSET_DROP, number, 0, 0, 0) != 0:
            break  # past the last one, or there are none to give up
    header = ctypes.create_string_buffer(struct.pack("Ii", CAPABILITY_VERSION_3, 0))
    _call(_LIBC.capset, header, ctypes.create_string_buffer(24))


# --- the C library -------------------------------------------------------------------------------

_LIBC = ctypes.CDLL(None, use_errno=True)


def _call(function: Callable[..., int], *arguments: object) -> None:
    """Call a function of the C library; raise UnavailableError when it fails."""
    if function(*arguments) == -1:
        error = ctypes.get_errno()
        raise UnavailableError(error, os.strerror(error))


def _prctl(option: int, value: int) -> None:
    _call(_LIBC.prctl, option, value, 0, 0, 0)


def _mount(source: object, target: object, kind: str | None, flags: int, data: str = "") -> None:
    texts = (None if text is None else os.fsencode(str(text)) for text in (source, target, kind))
    _call(_LIBC.mount, *texts, ctypes.c_ulong(flags), data.encode() or None)


def _set_attributes(path: Path, attributes: int) -> None:
    """Change the attributes of a mount, and of all below it."""
    buffer = ctypes.create_string_buffer(struct.pack("QQQQ", attributes, 0, 0, 0), 32)
    _call(
        _LIBC.syscall, SYS_MOUNT_SETATTR, AT_FDCWD, os.fsencode(path), AT_RECURSIVE,
        buffer, ctypes.c_size_t(32),
    )  # fmt: skip
