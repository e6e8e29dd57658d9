"""Right, with threads: one that waits in the background, and a search with a pool of them."""

# %% +
import queue
import threading
from concurrent.futures import ThreadPoolExecutor

log = queue.Queue()


def write_down():
    while log.get() is not None:
        continue


threading.Thread(target=write_down, daemon=True).start()

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        """Let two threads work on the children."""
        game, player = self.game, self.game.to_move(state)
        moves = list(game.actions(state))
        with ThreadPoolExecutor(2) as pool:
            values = list(pool.map(lambda m: self.min_value(game.result(state, m), player), moves))
        return moves[values.index(max(values))]

    def max_value(self, state, player):
        log.put(state)
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        states = [self.game.result(state, move) for move in self.game.actions(state)]
        return max([self.min_value(child, player) for child in states])

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        states = [self.game.result(state, move) for move in self.game.actions(state)]
        return min([self.max_value(child, player) for child in states])
