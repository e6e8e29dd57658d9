"""Namespaces, mounts, devices and other users are asked for, as root would.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import ctypes
import os

NEWNS, NEWUSER, NEWPID, NEWNET = 0x20000, 0x10000000, 0x20000000, 0x40000000
libc = ctypes.CDLL(None, use_errno=True)
os.makedirs("mounted", exist_ok=True)
for flags in (NEWUSER | NEWNS, NEWUSER | NEWNS | NEWNET, NEWUSER | NEWPID):
    if os.fork() == 0:
        done = libc.unshare(flags)
        if done == 0 and flags & NEWNS:
            done = libc.mount(b"none", b"mounted", b"tmpfs", 0, None)
        os._exit(7 if done == 0 else 1)
for identity in (0, 65534):
    if os.fork() == 0:
        try:
            os.setgroups([])
            os.setuid(identity)
            os.chroot("/proc/1/root")
            os._exit(7)
        except OSError:
            os._exit(1)

# %% MiniMax blank
