"""The root is never a leaf

Cell: alphabeta
"""


# %% alphabeta
from dataclasses import dataclass


@dataclass
class Searcher:
    game: Game
    evaluate: Evaluation
    player: str

    def __call__(self, state, depth, alpha, beta):
        """Return the value of a state below the root."""
        game = self.game
        if game.terminal_test(state):
            utility = game.utility(state, self.player)
            return utility and utility * infinity
        if depth <= 0:
            return self.evaluate(state, self.player)
        if game.to_move(state) == self.player:
            for move in game.actions(state):
                alpha = max(alpha, self(game.result(state, move), depth - 1, alpha, beta))
                if alpha >= beta:
                    break
            return alpha
        for move in game.actions(state):
            beta = min(beta, self(game.result(state, move), depth - 1, alpha, beta))
            if alpha >= beta:
                break
        return beta


def alphabeta(
    game: Game,
    state: State,
    depth: int,
    evaluate: Evaluation,
) -> tuple[float, Move | None]:
    """Return (value, move) as `minimax` does, without looking at what cannot matter."""
    value_of = Searcher(game, evaluate, game.to_move(state))
    alpha, best_move = -infinity, None
    for move in game.actions(state):
        value = value_of(game.result(state, move), depth - 1, alpha, infinity)
        if value > alpha or best_move is None:
            alpha, best_move = value, move
    return alpha, best_move
