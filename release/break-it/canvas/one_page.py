"""Write your search on a page to send to a friend: the board, its tree, and a slider for the depth.

Here is no search: the one that is shown is yours.
"""

import inspect
import time
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from games import ConnectFour, Game, GameState, Move, State, after

from . import steps
from .drawing import Board, board_picture, svg
from .stepper import Canvas_search

SECONDS = 10.0  # of all searches together, after which none looks deeper
BOARD = 260.0  # pixels
PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ margin: 1rem; font: 16px/1.5 system-ui, sans-serif }}
.search {{ display: flex; flex-wrap: wrap; gap: 1rem; align-items: start }}
.search svg {{ max-width: 100%; height: auto }}
.search svg + svg {{ flex: 1 1 30rem; min-width: 0 }}
:focus-visible {{ outline: 3px solid #0072b2; outline-offset: 1px }}
</style>
<main>
<h1>{title}</h1>
<p>On the left is the board. On the right is the top of the tree that the search has walked
through: triangles that point up are states of the player to move, and the numbers came back from
below. Grey and dashed is what was cut off; ≤ and ≥ mark a value that is a bound.</p>
{walk}
</main>
</html>
"""


def show(
    player: Any,
    position: State | Sequence[Move] | None = (),
    game: Game | None = None,
    deepest: int = 4,
    file: str = "my-search.html",
) -> Path:
    """Write a page with the search of `player` in a position, for each depth; return its file.

    `player` is a function of game, state and depth, such as `find_best_move`, or a class that is
    made with a depth, such as `AlphaBeta`, or a player as it is. `position` is a state, or the
    moves from the beginning; the game is Connect Four unless another one is given.
    """
    if deepest < 1:
        raise ValueError(f"deepest={deepest}: a search looks at least 1 ply ahead")
    if not callable(player):
        raise TypeError(f"{player!r} is no player: give a function of game and state, or a class")
    game = ConnectFour() if game is None else game
    moves = () if position is None else position
    state = after(game, moves) if type(moves) in (list, tuple) else moves
    name = getattr(player, "__name__", type(player).__name__)
    pictures, words, begun = list[str](), list[str](), time.process_time()
    for depth in range(1, deepest + 1):
        found = Canvas_search(
            f"{name} looks {depth} plies ahead", game, _made(player, depth), state, live=False
        )
        board = _board(game, state, found.search.choice and found.search.choice.move)
        pictures.append(f'<div class="search">{board}{svg(found.picture(), found.title)}</div>')
        words.append(found.status())
        if time.process_time() - begun > SECONDS or not _takes_depth(player):
            break
    walk = steps.html(pictures[-1], pictures, words, len(words) - 1, "Depth")
    page = Path(file)
    page.write_text(PAGE.format(title=f"The search of {escape(name)}", walk=walk), "utf-8")
    return page


def _takes_depth(player: Any) -> bool:
    return isinstance(player, type) or len(inspect.signature(player).parameters) > 2


def _made(player: Any, depth: int) -> Callable[..., Any]:
    """Return a player that looks so many plies ahead, if it can be told to."""
    if isinstance(player, type):
        return player(depth)  # type: ignore[no-any-return]
    return (lambda game, state: player(game, state, depth)) if _takes_depth(player) else player


def _board(game: Game, state: State, move: Move | None) -> str:
    """Draw the board on which the search begins, with the piece that it plays as a ghost."""
    if not isinstance(state, GameState):
        return ""
    squares = [(getattr(game, "rows", 1) - 1, getattr(game, "columns", 1) - 1)]
    squares += [*state.board, *(one for one in game.initial.moves if isinstance(one, tuple))]
    rows, columns = (1 + max(one[axis] for one in squares) for axis in (0, 1))
    new = [] if move is None else [*game.result(state, move).board.keys() - state.board.keys()]
    board = Board(
        rows, columns, state.board, ghost=dict.fromkeys(new, state.to_move),
        from_bottom=isinstance(game, ConnectFour),
    )  # fmt: skip
    return svg(board_picture(board, BOARD, BOARD), f"{state.to_move} to move")
