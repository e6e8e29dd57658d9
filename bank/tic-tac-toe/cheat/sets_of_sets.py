"""One question holds sets of sets that all have one hash: to build them keeps the referee for minutes.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
import struct

SETS, MEMBERS, LONG = 200, 190, 100  # 3.9 MB


def tup(n):
    tail = bytes(0xFF if n >> bit & 1 else 0xFE for bit in range(16))
    return b"\x92\xa5tuple\xdc" + struct.pack(">H", LONG) + b"\xff" * (LONG - 16) + tail


def many(tag, parts):
    return b"\x92" + bytes([0xA0 | len(tag)]) + tag + b"\xdc" + struct.pack(">H", len(parts)) + b"".join(parts)


def question(target):
    common = [tup(n) for n in range(MEMBERS - 1)]
    sets = [many(b"frozenset", [*common, tup(1000 + n)]) for n in range(SETS)]
    ask = b"\x84\xa4type\xa3Ask\xa6target" + bytes([target]) + b"\xa6method\xa7actions\xa4args\x91" + many(b"set", sets)
    return struct.pack(">I", len(ask)) + ask


class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        channel = game.player_.channel
        channel.socket.sendall(question(game.target_))
        channel.receive()
        raise SystemExit

    search = max_value = min_value = lambda *_: None
