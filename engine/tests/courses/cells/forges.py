"""Writes into the pipe that answers go through."""

import os
import stat
import time


def pipes():
    for descriptor in range(3, 100):
        try:
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                yield descriptor
        except OSError:
            pass


def forge(data):
    for pipe in pipes():
        os.write(pipe, data)


def lie(name, game):
    forge(FORGERIES[name])
    return name, game


def lie_while_playing(name, game):
    forge(FORGERIES[name])
    return game.actions("A")


def lie_and_loop(name):
    forge(FORGERIES[name])
    while True:
        pass


def drip(data, seconds):
    for n in range(len(data)):
        forge(data[n : n + 1])
        time.sleep(seconds)


def drip_by_threads(data, seconds):
    from threading import Thread

    for n in range(len(data)):
        thread = Thread(target=drip, args=(data[n : n + 1], 0))
        thread.start()
        thread.join()
        time.sleep(seconds)


def same(value):
    return value
