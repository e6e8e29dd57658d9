"""The games of `referee ladder`: Connect Four and tic-tac-toe, and the course's own players."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from adversarial.games import drop_rules, rules, sent_boards
from adversarial.solvers.connect_four import four_oracle
from games import OPENINGS, ConnectFour, Game, GameState, after
from handout.canvas import steps
from handout.canvas.drawing import Board, board_picture, svg
from referee.model import Ladder
from referee.sandbox.outside.student import MissingNameError, Proxy, Student, load

FOUR, TICTACTOE = drop_rules.FastConnectFour(), rules.TicTacToe()
DEPTH = 3  # of a `find_best_move` whose notebook defines no `my_player`
FIRST_PLIES = 6  # of a game of Connect Four, that are drawn
EXACT_FROM = 16  # moves on the board; before, exact values take seconds
LARGE, SMALL = (330.0, 310.0), (200.0, 200.0)  # pixels of the boards
START = "The empty board. X moves first."


def ladder(assignment: str) -> Ladder | None:
    """Return the games that the submissions of an assignment play; None if it has none."""
    players: dict[str, Callable[..., Any]] = {"random": _random}
    if assignment == "connect-four":
        players |= {"greedy": _greedy, "exact endgame": _exact}
        return _ladder(FOUR, _opening, _ask_four, players, partial(_board, 6, 7, LARGE))
    if assignment == "tic-tac-toe":
        players = {"random": partial(_random, game=TICTACTOE)}
        return _ladder(TICTACTOE, _two_moves, _ask_tictactoe, players, partial(_board, 3, 3, SMALL))
    return None


def _ladder(
    game: Game,
    opening: Callable[[random.Random], list[Any]],
    ask: Callable[[Student], Callable[[list[Any]], Any]],
    players: dict[str, Callable[..., Any]],
    board: Callable[[GameState, Any], str],
) -> Ladder:
    def score(moves: list[Any]) -> float:
        return (1 + float(game.utility(after(game, moves), "X"))) / 2

    def replay(moves: list[Any]) -> str:
        states = [after(game, moves[:count]) for count in range(len(moves) + 1)]
        pictures = [board(state, states[max(0, i - 1)]) for i, state in enumerate(states)]
        words = [f"{'XO'[i % 2]} plays {move}." for i, move in enumerate(moves)]
        return steps.packed(pictures, [START, *words], len(moves))

    return Ladder(
        opening=opening,
        legal=lambda moves: list(game.actions(after(game, moves))),
        score=score,
        ask=ask,
        replay=replay,
        script=steps.SCRIPT.read_text("utf-8"),
        players=players,
    )


def _opening(chance: random.Random) -> list[int]:
    """Return the first moves of a game in which nobody has won, nor can at once."""
    while True:
        moves = [chance.randrange(7) for _ in range(FIRST_PLIES)]
        if max(map(moves.count, moves)) < 5 and not _wins(after(FOUR, moves)):
            return moves


def _two_moves(chance: random.Random) -> list[Any]:
    return list(chance.choice(OPENINGS))


def _wins(state: GameState, player: str = "") -> list[int]:
    """Return the columns by which the player to move, or another, wins at once."""
    state = state._replace(to_move=player or state.to_move)
    return [move for move in state.moves if FOUR.result(state, move).utility]


def _random(moves: list[Any], chance: random.Random, game: Game = FOUR) -> Any:
    return chance.choice(list(game.actions(after(game, moves))))


def _greedy(moves: list[int], chance: random.Random) -> int:
    """Win, or else keep the other from winning, or else play near the middle."""
    state = after(FOUR, moves)
    other = "O" if state.to_move == "X" else "X"
    found = _wins(state) or _wins(state, other) or state.moves
    return min(found, key=lambda column: abs(column - 3))


def _exact(moves: list[int], chance: random.Random) -> int:
    """Play the fastest win or the slowest loss; in the first moves, as the greedy player."""
    if len(moves) < EXACT_FROM:
        return _greedy(moves, chance)
    scores = four_oracle().scores(after(FOUR, moves))
    return max(scores, key=lambda column: (scores[column], -abs(column - 3)))


def _ask_four(student: Student) -> Callable[[list[int]], Any]:
    game = load(student, drop_rules).FastConnectFour()
    try:
        player: Callable[..., Any] = student.my_player
    except MissingNameError:
        best: Proxy = student.find_best_move
        return lambda moves: best(game, after(FOUR, moves), DEPTH)
    return lambda moves: player(game, after(FOUR, moves))


def _ask_tictactoe(student: Student) -> Callable[[list[Any]], Any]:
    game = load(student, sent_boards).SentBoard(*rules.tables(3, 3, 3))
    player = student.AlphaBeta()
    return lambda moves: player(game, after(TICTACTOE, moves))


def _board(
    rows: int, columns: int, size: tuple[float, float], state: GameState, before: GameState
) -> str:
    """Draw a board, with the last piece marked, and the line that has won Connect Four."""
    new: Sequence[Any] = [square for square in state.board if square not in before.board]
    four = columns == FOUR.columns
    line = ConnectFour().line(state) if four and state.utility else []
    board = Board(rows, columns, state.board, new[0] if new else None, line, from_bottom=four)
    return svg(board_picture(board, *size), "Connect Four" if four else "Tic-tac-toe")
