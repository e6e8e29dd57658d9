"""Services on this machine are asked over TCP, UDP and sockets with names, and one is offered.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import socket
from pathlib import Path

PORT = 47474
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        try:
            with socket.socket(family, kind) as talk:
                talk.settimeout(1)
                talk.connect((address, PORT))
                talk.send(b"owned")
                print(talk.recv(100))
        except OSError as error:
            print(error)
try:
    with socket.socket(socket.AF_UNIX) as talk:
        talk.connect("\0course-canary")
        print(talk.recv(100))
except OSError as error:
    print(error)
try:
    listening = socket.create_server(("127.0.0.1", 0))
    print("offered", listening.getsockname())
except OSError as error:
    print(error)

# %% MiniMax blank
