"""A service is offered on this machine.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import socket

try:
    listening = socket.create_server(("127.0.0.1", 0))
    print("offered", listening.getsockname())
except OSError as error:
    print(error)

# %% MiniMax blank
