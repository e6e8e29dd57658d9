"""The cell of the notebook: functions that end in each way a conversation can."""


def double(n):
    return 2 * n


def noisy(n):
    print("told", n)
    return abs(n)


def searching(game):
    states, found = [game.initial], 0
    while states:
        state = states.pop()
        if game.terminal_test(state):
            found += game.utility(state, "MAX")
        else:
            states += [game.result(state, move) for move in game.actions(state)]
    return found


def asking_back(ask):
    return [ask(n) for n in range(3)]


def broken(items):
    return items[5]


def endless():
    while True:
        pass


def busy(game):
    while True:
        game.actions(game.initial)


def greedy():
    return bytearray(10**12)


def forging():
    import gc
    import socket

    for found in gc.get_objects():
        if type(found) is socket.socket and found.fileno() >= 0:
            found.send(bytes(3) + b"\1!")


class Counter:
    def __init__(self):
        self.count = 0

    def up(self):
        self.count += 1
        return self.count
