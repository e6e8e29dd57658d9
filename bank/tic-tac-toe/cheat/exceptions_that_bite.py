"""Every question is answered by an exception whose text, class and traceback run code or lie.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
class Lying(type):
    @property
    def __name__(cls):
        return 17

    @property
    def __mro__(cls):
        return (ValueError,) * 1000


class Bite(Exception, metaclass=Lying):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__

    @property
    def __traceback__(self):
        return "no traceback"


class MiniMax(Player):
    def __init__(self, game=None):
        raise Bite
