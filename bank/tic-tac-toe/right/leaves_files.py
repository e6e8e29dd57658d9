"""Right, and it keeps notes in files: a log, a cache in a folder of its own, temporary files."""

# %% +
import json
import tempfile
from pathlib import Path

notes = Path("notes")
notes.mkdir(exist_ok=True)
(notes / "games.json").write_text(json.dumps([list(map(list, opening)) for opening in OPENINGS]))
temporary = tempfile.NamedTemporaryFile("w", delete=False)
temporary.write("nothing of importance\n")
opened = open("log.txt", "w")  # and never closed

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.stops = cutoff_test or (lambda state, depth: depth >= d)
        self.estimate = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player, best, alpha = self.game.to_move(state), None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if best is None or value > alpha:
                best, alpha = move, value
        with open(notes / "moves.txt", "a") as file:
            print(state, best, file=file)
        opened.write(f"{best}\n")
        return best

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.stops(state, depth):
            return self.estimate(state)
        value = -infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = max(value, self.min_value(child, player, alpha, beta, depth + 1))
            if value >= beta:
                break
            alpha = max(alpha, value)
        return value

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.stops(state, depth):
            return self.estimate(state)
        value = infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = min(value, self.max_value(child, player, alpha, beta, depth + 1))
            if value <= alpha:
                break
            beta = min(beta, value)
        return value
