"""The memory of the processes above this one is searched, by /proc, process_vm_readv and ptrace.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import ctypes
import os
import re

TOKEN = re.compile(rb"canary-[0-9a-f]{32}")
libc = ctypes.CDLL(None, use_errno=True)


class Part(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def ancestors(levels=3):
    pid = os.getppid()
    while pid > 1 and levels:
        yield pid
        levels -= 1
        with open(f"/proc/{pid}/stat") as file:
            pid = int(file.read().rpartition(")")[2].split()[1])


def parts(pid):
    with open(f"/proc/{pid}/maps") as file:
        for line in file:
            span, rights, *_ = line.split()
            start, end = (int(number, 16) for number in span.split("-"))
            if rights.startswith("rw") and end - start <= 1 << 28:
                yield start, end - start


def by_file(pid):
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
        for start, size in parts(pid):
            file.seek(start)
            yield file.read(size)


def by_call(pid):
    for start, size in parts(pid):
        copy = ctypes.create_string_buffer(size)
        here, there = Part(ctypes.addressof(copy), size), Part(start, size)
        if libc.process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) > 0:
            yield copy.raw


for way in (by_file, by_call):
    try:
        for pid in ancestors():
            for content in way(pid):
                if found := {*TOKEN.findall(content)}:
                    print(*found)
    except (OSError, ValueError, OverflowError) as error:
        print(type(error).__name__)

# %% MiniMax blank
