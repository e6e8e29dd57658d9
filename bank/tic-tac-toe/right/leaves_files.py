"""Writes a log, a table and a folder next to the notebook, and reads the table back."""

# %% +
import csv
import json
import logging
import os
import tempfile
from pathlib import Path

log = logging.getLogger("tic-tac-toe")
log.addHandler(logging.FileHandler("game.log"))
log.setLevel(logging.DEBUG)
os.makedirs("scratch/deeper", exist_ok=True)
with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as handle:
    handle.write("left behind")

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        values = []
        for move in self.game.actions(state):
            values.append((move, self.min_value(self.game.result(state, move), player)))
        best = max(values, key=lambda pair: pair[1])
        log.info("%s has %s and takes %s", player, values, best)
        with open("scratch/deeper/moves.txt", "a") as file:
            print(best, file=file)
        return best[0]

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        children = (self.game.result(state, move) for move in self.game.actions(state))
        return max(self.min_value(child, player) for child in children)

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        children = (self.game.result(state, move) for move in self.game.actions(state))
        return min(self.max_value(child, player) for child in children)

# %% evaluation_a
with open("times.csv", "w", newline="") as file:
    table = csv.writer(file)
    for name, player in ("MiniMax", MiniMax()), ("AlphaBeta", AlphaBeta(d=9)):
        for opening in OPENINGS:
            game = TicTacToe()
            tic = time.perf_counter()
            utility = game.play_game(player, player, initial=after(game, opening))
            toc = time.perf_counter()
            table.writerow([name, json.dumps(opening), utility, toc - tic])

rows = list(csv.reader(Path("times.csv").open()))
names = ["MiniMax", "AlphaBeta"]
terminal_states = {n: [int(utility) for name, _, utility, _ in rows if name == n] for n in names}
time_taken = {n: [float(seconds) for name, _, _, seconds in rows if name == n] for n in names}
