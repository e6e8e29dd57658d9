"""Let your player of Connect Four climb past others, one after the other, as far as it gets.

    climb(my_player, random_player, greedy)

There is no search in here, and no opponent that looks further than its next move: the stronger
ones are your own searches.
"""

import time
from collections.abc import Callable

from games import Chooser, Game, GameState, Move, after, turns

__all__ = ["climb", "greedy"]


def greedy(game: Game, state: GameState) -> Move:
    """Win if a move does it, else take the square by which the opponent would, else the middle."""
    moves = list(game.actions(state))
    opponent = "O" if state.to_move == "X" else "X"
    for player in state.to_move, opponent:
        if winning := _wins(game, state._replace(to_move=player)):
            return winning[0]
    return sorted(moves)[len(moves) // 2]


def _wins(game: Game, state: GameState) -> list[Move]:
    """Return the moves that win at once."""
    mover, moves = state.to_move, list(game.actions(state))
    return [move for move in moves if game.utility(game.result(state, move), mover) > 0]


def climb(
    game: Game,
    player: Chooser,
    *opponents: Chooser,
    seconds: float = 1,
    say: Callable[[str], None] = print,
) -> int:
    """Play two games against each opponent, until one is lost; return how many were passed.

    The position that beat your player is shown, with the moves that lead to it: the last one in
    which it had a move that was not answered by a win at once.
    """
    for number, opponent in enumerate(opponents):
        name = getattr(opponent, "__name__", type(opponent).__name__)
        for first in True, False:
            order = (player, opponent) if first else (opponent, player)
            value, moves, slowest = _played(game, order, 0 if first else 1)
            result = "won" if value > 0 else "lost" if value < 0 else "drawn"
            side = "first" if first else "second"
            say(f"against {name}, moving {side}: {result}, at most {slowest:.1f} s for a move")
            if slowest > seconds:
                say(f"On the ladder of the class more than {seconds:g} s for a move lose the game.")
            if value < 0:
                beaten = _beaten(game, moves)
                say(f"This position beat it: after(game, {beaten})")
                game.display(after(game, beaten))
                return number
    say("Nobody is left here.")
    return len(opponents)


def _played(
    game: Game, order: tuple[Chooser, Chooser], turn: int
) -> tuple[float, list[Move], float]:
    """Return what a game is worth to who moves at a `turn`, the moves, and its longest time."""
    state, moves, slowest, begun = game.initial, list[Move](), 0.0, time.process_time()
    for move, _, state in turns(game, order, game.initial):  # noqa: B007 - used below
        if len(moves) % 2 == turn:
            slowest = max(slowest, time.process_time() - begun)
        moves.append(move)
        begun = time.process_time()
    return game.utility(state, game.to_move(after(game, moves[:turn]))), moves, slowest


def _beaten(game: Game, moves: list[Move]) -> list[Move]:
    """Return the moves up to the last position in which the loser had a better one."""
    for count in range(len(moves) - 2, -1, -2):
        state = after(game, moves[:count])
        replies = [game.result(state, move) for move in game.actions(state)]
        if not all(_wins(game, one) for one in replies):
            return moves[:count]
    return moves[:-2]
