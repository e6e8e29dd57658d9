"""Play on boards that you click: any of you, your programs and chance on either side.

Here are no rules and no search: games and players are yours, or those of `games`.
"""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

from games import ConnectFour, Game, GameState, Move, human_player, random_player

from .drawing import MARGIN, Board, Grid, Picture, Square, board_picture, grid
from .page import Clickable
from .search import called, details

Chooser: TypeAlias = Callable[[Game, Any], Move]


class BoardGame(Clickable):
    """A board on which a game is played by clicks, by programs, or by both."""

    from_bottom = False
    ask = "click a square"

    def __init__(
        self, name: str, game: Game, players: tuple[Any, Any], size: tuple[float, float],
        live: bool | None,
    ) -> None:  # fmt: skip
        """Set the board up, and let a program that goes first move, if somebody is looking."""
        super().__init__(name, live)
        self.game = game
        first, second = map(_player, players)
        self.rows, self.columns = self.board_size()
        side = grid(self.rows, self.columns, *size).side
        self.size = self.columns * side + 2 * MARGIN, self.rows * side + 2 * MARGIN
        self.places: Grid = grid(self.rows, self.columns, *self.size, self.from_bottom)
        self._first, self._players = game.to_move(game.initial), (first, second)
        self._pointer: Square | None = None
        self.keys: dict[Move, Any] = {}
        if self.live:
            self.build(*self.size, *self._buttons())
        self.restart()

    def restart(self) -> None:
        """Go back to the start of the game."""
        self.state: GameState = self.game.initial
        self.last: Square | None = None
        self.line: list[Square] = []
        self.trouble = self._remark = ""
        self._broken = self._thinking = False
        self.redraw()
        if self.live and None in self._players:
            self.go_on()

    def play(self, move: Move) -> None:
        """Make a move for the human whose turn it is, and let programs answer."""
        if self.over() or self.player() is not None:
            return
        if move not in list(self.game.actions(self.state)):
            self._remark = f"{move} is not possible here."
            self.redraw()
            return
        self._remark = ""
        self._make(move)
        self.go_on()

    def go_on(self) -> None:
        """Let programs move until a human is to move; without a human, make one move."""
        while not self.over() and self.player() is not None:
            self._let_program_move()
            if None not in self._players:
                return

    def over(self) -> bool:
        """Return whether no move can be made any more."""
        return self._broken or self.game.terminal_test(self.state)

    def player(self) -> Chooser | None:
        """Return the program that is to move, or None for a human."""
        return self._players[self.game.to_move(self.state) != self._first]

    def _let_program_move(self) -> None:
        player, mover = self.player(), self.game.to_move(self.state)
        name = f"{mover} ({_name(player)})"
        self._thinking = True
        self.redraw()
        began = time.perf_counter()
        try:
            move = player(self.game, self.state)  # type: ignore[misc]
            legal = list(self.game.actions(self.state))
        except (Exception, KeyboardInterrupt) as error:
            self._stop(f"{name} raised {type(error).__name__}: {error}", details(error, 1))
            return
        finally:
            self._thinking = False
        if move not in legal:
            moves = ", ".join(map(str, legal))
            self._stop(f"{name} played {move!r}, which is not a legal move.", f"Legal: {moves}")
            return
        took = time.perf_counter() - began
        self._remark = f"{name} played {move}" + (f" after {took:.2f} s." if took > 0.01 else ".")
        self._make(move)

    def _make(self, move: Move) -> None:
        """Make a legal move; note the square of the piece and whether it has won."""
        mover, before = self.game.to_move(self.state), self.state.board
        try:
            self.state = self.game.result(self.state, move)
            over = self.game.terminal_test(self.state)
        except Exception as error:
            what = f"{called(self.game)} raised {type(error).__name__} after {move}: {error}"
            self._stop(what, details(error, 1))
            return
        new = [square for square in self.state.board if square not in before]
        self.last = new[0] if new else None
        if over and self.last is not None:
            with suppress(Exception):  # a game that cannot say so has no line to draw
                self.line = self.winning_line(self.last, mover)
        self.redraw(*self.falling(mover))

    def _stop(self, what: str, trouble: str) -> None:
        self._broken, self._remark, self.trouble = True, what, trouble
        self.redraw()

    # methods that differ between games

    def board_size(self) -> tuple[int, int]:
        """Return the numbers of rows and columns, from the moves in the initial state."""
        squares = list(self.game.actions(self.game.initial))
        return 1 + max(row for row, _ in squares), 1 + max(column for _, column in squares)

    def winning_line(self, last: Square, player: str) -> list[Square]:
        """Return the pieces that make the win: those without which the game sees none."""
        board = self.state.board
        needed = {square for square in board if board[square] == player}
        others = {square: piece for square, piece in board.items() if piece != player}

        def has_won(squares: set[Square]) -> bool:
            pieces = {**others, **dict.fromkeys(squares, player)}
            return bool(self.game.compute_utility(pieces, last, player))  # type: ignore[attr-defined]

        if not has_won(needed):
            return []
        for square in sorted(needed - {last}):
            if has_won(needed - {square}):
                needed.remove(square)
        return sorted(needed)

    def move_to(self, square: Square) -> Move:
        """Return the move for a click on a square."""
        return square

    def target(self, square: Square) -> Square | None:
        """Return the square of a piece after a click on a square."""
        return None if square in self.state.board else square

    def falling(self, mover: str) -> list[Picture]:
        """Return the pictures that come before the one with the piece in its place."""
        return []

    # the picture and the words

    def status(self) -> str:
        """Return the last event, and whose turn it is or how the game ended."""
        return f"{self._remark} {'' if self._broken else self._turn()}".strip()

    def _turn(self) -> str:
        mover = self.game.to_move(self.state)
        if self._thinking:
            return f"{mover} ({_name(self.player())}) is thinking ..."
        if not self.over():
            who = _name(self.player())
            return f"{mover} ({who}) to move" + (f": {self.ask}." if who == "you" else ".")
        value = self.game.utility(self.state, self._first)
        if value == 0:
            return "The game is over: a draw."
        board = self.state.board
        others = sorted({piece for piece in board.values() if piece != self._first} or {mover})
        winner, player = (self._first, 0) if value > 0 else (others[0], 1)
        return f"The game is over: {winner} ({_name(self._players[player])}) has won."

    def picture(self) -> Picture:
        """Draw the board."""
        ghost = {}
        if self._pointer is not None and not self.over() and self.player() is None:
            target = self.target(self._pointer)
            ghost = {target: self.game.to_move(self.state)} if target else {}
        return self._drawn(dict(self.state.board), self.last, ghost)

    def _drawn(
        self, pieces: dict[Square, str], last: Square | None, ghost: dict[Square, str]
    ) -> Picture:
        line = self.line if last else []
        board = Board(self.rows, self.columns, pieces, last, line, ghost, self.from_bottom)
        return board_picture(board, *self.size)

    def clicked(self, x: float, y: float) -> None:
        """Play where a human clicks; without a human, let the next program move."""
        if None not in self._players:
            self.go_on()
        elif square := self.places.square(x, y):
            self.play(self.move_to(square))

    def pointed(self, x: float | None, y: float | None) -> None:
        """Show what a click would do here."""
        square = None if x is None or y is None else self.places.square(x, y)
        if square != self._pointer:
            self._pointer = square
            self.screen.show(self.picture())

    def _buttons(self) -> list[Any]:
        from ipywidgets import Button

        restart = Button(description="Restart", icon="undo", tooltip="Start a new game")
        restart.on_click(self.safely(lambda _: self.restart()))
        if None in self._players:
            return [restart, *self._keys()]
        move = Button(description="Next move", icon="step-forward", tooltip="Let the program move")
        move.on_click(self.safely(lambda _: self.go_on()))
        return [move, restart]

    def _keys(self) -> list[Any]:
        """Return a button for each move, to play without a pointer, and one that shows them."""
        from ipywidgets import Button, GridBox, ToggleButton

        moves = sorted(self.game.actions(self.game.initial))
        self.keys = {
            move: Button(description=str(move), layout={"width": "64px"}) for move in moves
        }
        for move, key in self.keys.items():
            key.on_click(self.safely(lambda _, move=move: self.play(move)))
        columns = f"repeat({self.columns}, 68px)"
        keys = GridBox([*self.keys.values()], layout={
            "display": "none", "grid_template_columns": columns, "width": "100%"})  # fmt: skip
        shown = ToggleButton(description="Keys", icon="keyboard-o", tooltip="Play by the keyboard")
        shown.observe(lambda change: keys.layout.set_trait(
            "display", "grid" if change["new"] else "none"), "value")  # fmt: skip
        return [shown, keys]

    def redraw(self, *before: Picture) -> None:
        """Show the picture, the words, and on the keys the pieces that lie there."""
        for move, key in self.keys.items():
            key.description = self.state.board.get(move, str(move))
        super().redraw(*before)


class Canvas_TicTacToe(BoardGame):  # noqa: N801 - as its readers know it from the textbook's code
    """Play tic-tac-toe on a board of any size by clicking squares."""

    def __init__(
        self, name: str, player_1: Any = "human", player_2: Any = "random",
        game: Game | None = None, width: float = 320, height: float = 320,
        live: bool | None = None,
    ) -> None:  # fmt: skip
        """Let player_1, who is X, play against player_2: "human", "random", or your own player.

        The game is the `TicTacToe()` of your notebook unless you give another. NameError if there
        is none, TypeError for an unknown player.
        """
        if game is None:
            rules = sys._getframe(1).f_globals.get("TicTacToe")
            if rules is None:
                raise NameError("run the cell that defines TicTacToe first, or give a game=...")
            game = rules()
        super().__init__(name, game, (player_1, player_2), (width, height), live)


class Canvas_ConnectFour(BoardGame):  # noqa: N801
    """Play Connect Four by clicking columns."""

    from_bottom = True
    ask = "click a column"

    def __init__(
        self, name: str, player_1: Any = "human", player_2: Any = "random",
        game: ConnectFour | None = None, width: float = 460, height: float = 400,
        live: bool | None = None,
    ) -> None:  # fmt: skip
        """Let player_1, who is X, play against player_2: "human", "random", or your own player.

        TypeError for an unknown player.
        """
        rules = game or ConnectFour()
        super().__init__(name, rules, (player_1, player_2), (width, height), live)

    def board_size(self) -> tuple[int, int]:
        """Return how many rows and columns there are."""
        return self.game.rows, self.game.columns  # type: ignore[attr-defined]

    def winning_line(self, last: Square, player: str) -> list[Square]:
        """Return the pieces by which the game says that the last move has won."""
        return list(self.game.line(self.state))  # type: ignore[attr-defined]

    def move_to(self, square: Square) -> Move:
        """Return the column that was clicked."""
        return square[1]

    def target(self, square: Square) -> Square | None:
        """Return the lowest free square of the column."""
        free = [row for row in range(self.rows) if (row, square[1]) not in self.state.board]
        return (min(free), square[1]) if free else None

    def falling(self, mover: str) -> list[Picture]:
        """Return the pictures of the last piece in the rows above its place."""
        if self.last is None:
            return []
        row, column = self.last
        rest = {square: piece for square, piece in self.state.board.items() if square != self.last}
        above = range(self.rows - 1, row, -1)
        return [self._drawn({**rest, (higher, column): mover}, None, {}) for higher in above]


def _name(player: Chooser | None) -> str:
    if player is None:
        return "you"
    return "random" if player is random_player else called(player)


def _player(player: Any) -> Chooser | None:
    """Return a program that plays, or None for a human; TypeError for anything else."""
    if player == "human" or player is human_player:
        return None
    if player == "random":
        return random_player
    if callable(player) and not isinstance(player, type):
        return player  # type: ignore[no-any-return]
    if isinstance(player, type):
        raise TypeError(f"{player.__name__} is a class: give a player, {player.__name__}()")
    raise TypeError(
        f"{player!r} cannot play: a player is 'human', 'random', or can be called with a game and "
        "a state, such as MiniMax()"
    )
