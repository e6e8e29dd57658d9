"""Play on boards that you click: any of you, your programs and chance on either side.

A board in a page is a grid of buttons, so that it is played by pointer and by keyboard; the picture
of it is what stays in the notebook. Here are no rules and no search: games and players are yours,
or those of `games`. ipywidgets is imported only where there is a page.
"""

import sys
from collections.abc import Callable, Collection, Mapping
from functools import partial
from html import escape
from importlib.util import find_spec
from itertools import product
from typing import Any, NamedTuple

import games
from games import GameState, Move, Square, human_player, random_player

from .drawing import BLUE, INK, ORANGE, PANEL, QUIET, Picture, Shown, label, shape
from .search import details

PIECES = {"X": BLUE, "O": ORANGE}
NEW = "#fdf3b0"  # a marked square
MARGIN = 26  # around a board, for the numbers of rows and columns
FOCUS = """<style>.course-board button:focus-visible {
outline: 3px solid #0072b2 !important; outline-offset: 2px; z-index: 1; }</style>"""
# A page shows the widgets, or once they are gone the picture in the place of Jupyter's error.
GIVE_WAY = """<style>
:root:has(.MARK) :is(.MARK-still, .jp-OutputArea-child:has(.MARK-still)),
.jp-OutputArea-child:not(:has(.MARK)):has(+ .jp-OutputArea-child .MARK-still) { display: none }
</style>"""


class Board(NamedTuple):
    """A board of squares; row 0 is at the top, or at the bottom where pieces drop."""

    rows: int
    columns: int
    pieces: Mapping[Square, str]  # 'X' or 'O'
    marked: Collection[Square] = ()  # the last move, or the pieces that have won
    from_bottom: bool = False
    side: float = 46  # of a square, in pixels

    def centre(self, square: Square) -> tuple[float, float]:
        """Return the point in the middle of a square, in pixels."""
        row = self.rows - 1 - square[0] if self.from_bottom else square[0]
        return MARGIN + (square[1] + 0.5) * self.side, MARGIN + (row + 0.5) * self.side

    def text(self) -> str:
        """Return the board as text, with [X] for a marked piece, and numbers at the edges."""
        lines = ["    " + "  ".join(map(str, range(self.columns)))]
        for row in sorted(range(self.rows), reverse=self.from_bottom):
            line = f"{row:>2} "
            for square in ((row, column) for column in range(self.columns)):
                left, right = "[]" if square in self.marked else "  "
                line += f"{left}{self.pieces.get(square, '.')}{right}"
            lines.append(line.rstrip())
        return "\n".join(lines)

    def picture(self) -> Picture:
        """Draw the board with its numbers."""
        side, height, shapes = self.side, self.side * self.rows + 2 * MARGIN, list[str]()
        squares = product(range(self.rows), range(self.columns))
        for square in sorted(squares, key=lambda one: one in self.marked):
            (x, y), piece = self.centre(square), self.pieces.get(square, "")
            fill, edge, thick = (NEW, INK, 3) if square in self.marked else (PANEL, QUIET, 1)
            place = {"x": x - side / 2, "y": y - side / 2, "width": side, "height": side}
            shapes.append(shape("rect", **place, fill=fill, stroke=edge, stroke_width=thick))
            colour = PIECES.get(piece, INK)
            shapes.append(label(x, y + side / 4, piece, 0.7 * side, colour, bold=True))
        for row in range(self.rows):
            shapes.append(label(MARGIN / 2, self.centre((row, 0))[1] + 4, str(row), 12, QUIET))
        for column in range(self.columns):
            y = height - 8 if self.from_bottom else MARGIN - 9
            shapes.append(label(self.centre((0, column))[0], y, str(column), 12, QUIET))
        width = side * self.columns + 2 * MARGIN
        return Picture(width, height, shapes, self.text())


class BoardGame(Shown):
    """A board on which a game is played by clicks, by programs, or by both."""

    from_bottom = False  # as in Connect Four, where a click means a column

    def __init__(
        self, name: str, player_1: Any = "human", player_2: Any = "random", game: Any = None
    ) -> None:
        """Let player_1, who is X, play against player_2: "human", "random", or your own player.

        A program that goes first moves, if somebody is looking. NameError if there is no game,
        TypeError for an unknown player.
        """
        super().__init__(name)
        self.game = self.usual(sys._getframe(1).f_globals) if game is None else game
        rows, columns = self.size()
        side = min(72, 420 // columns)
        self.board = Board(rows, columns, {}, from_bottom=self.from_bottom, side=side)
        self._players = [*map(_player, "XO", (player_1, player_2))]
        self._programs = [program for _, program in self._players]
        self.squares: dict[Square, Any] = {}  # buttons
        self.box: Any = None
        self._still: Any = None  # the picture in the notebook for when the kernel is gone
        if self.live and find_spec("ipywidgets"):
            self._build()
        self._safely(self.restart)

    def usual(self, notebook: dict[str, Any]) -> Any:
        """Return the game to be played if none is given: the `TicTacToe()` of the notebook."""
        if "TicTacToe" not in notebook:
            raise NameError("run the cell that defines TicTacToe first, or give a game=...")
        return notebook["TicTacToe"]()

    def size(self) -> tuple[int, int]:
        """Return the numbers of rows and columns."""
        rows, columns = zip(*self.game.actions(self.game.initial), strict=True)
        return 1 + max(rows), 1 + max(columns)

    def restart(self) -> None:
        """Go back to the start of the game."""
        self._make(self.game.initial)
        if self.live and None in self._programs:
            self.go_on()

    def play(self, move: Move) -> None:
        """Make a move for the human whose turn it is, and let programs answer.

        What programs and rules raise is raised, and IllegalMove for one of a program.
        """
        if self.game.terminal_test(self.state) or self._turn()[1]:
            return
        if move in list(self.game.actions(self.state)):
            self._make(self.game.result(self.state, move))
            self.go_on()
        else:
            self._remark = f"{move} is not possible here."
            self.redraw()

    def go_on(self) -> None:
        """Let programs move until a human is to move; without a human, make one move."""
        while not self.game.terminal_test(self.state) and self._turn()[1]:
            name, program = self._turn()
            move, _, new = next(games.turns(self.game, [program], self.state))
            self._make(new, f"{name} played {move}.")
            if None not in self._programs:
                break

    def _turn(self) -> tuple[str, Any]:
        """Return who is to move, in words, and the program that plays, None for a human."""
        return self._players[bool(self.game.to_move(self.state) != "X")]

    def _make(self, new: GameState, remark: str = "") -> None:
        """Come to a state, in which the new piece is marked, or the line that has won."""
        squares = [square for square in new.board if square not in self.board.pieces]
        marked = squares if len(squares) == 1 else []
        if self.from_bottom:
            marked = self.game.line(new) or marked
        self.board = self.board._replace(pieces=dict(new.board), marked=marked)
        self.state, self._remark = new, remark
        self.redraw()

    def picture(self) -> Picture:
        """Draw the board."""
        return self.board.picture()

    def status(self) -> str:
        """Return the last event, and whose turn it is or how the game ended."""
        name, program = self._turn()
        if not self.game.terminal_test(self.state):
            turn = f"{name} to move{'' if program else ': click a square'}."
        elif value := self.game.utility(self.state, "X"):
            turn = f"The game is over: {self._players[value < 0][0]} has won."
        else:
            turn = "The game is over: a draw."
        return f"{self._remark} {turn}".strip()

    # in a page

    def _build(self) -> None:
        """Put a grid of buttons between title and words."""
        from ipywidgets import HTML, Button, GridBox, HBox, VBox

        def button(words: str, action: Callable[[], None], **looks: Any) -> Any:
            widget = Button(description=words, **looks)
            widget.on_click(lambda _: self._safely(action))
            return widget

        board = self.board
        side = f"{board.side}px"
        size = {"width": side, "height": side, "margin": "1px", "padding": "0"}
        font = {"font_size": f"{board.side // 2}px", "font_weight": "bold"}
        rows = sorted(range(board.rows), reverse=self.from_bottom)
        for square in product(rows, range(board.columns)):
            action = partial(self.play, square[1] if self.from_bottom else square)
            widget = button("", action, tooltip=str(square), layout=size, style=font)
            self.squares[square] = widget
        columns = f"repeat({board.columns}, max-content)"  # and room around it for the focus
        looks = {"grid_template_columns": columns, "padding": "5px"}
        grid = GridBox(list(self.squares.values()), layout=looks)
        controls = [button("Restart", self.restart, icon="undo")]
        if None not in self._programs:
            controls.append(button("Next move", self.go_on, icon="step-forward"))
        self._words, self._error = HTML(), HTML()
        heading = HTML(f"<b>{escape(self.title)}</b>{FOCUS}")
        self.box = VBox([heading, grid, self._words, HBox(controls), self._error])
        self._mark = f"course-board-{self.box.model_id}"
        self.box.add_class("course-board").add_class(self._mark)

    def _safely(self, action: Callable[[], None]) -> None:
        """Do what a button asks for, and show errors, which a page would swallow."""
        self.trouble = ""
        try:
            action()
        except (Exception, KeyboardInterrupt) as error:
            self.trouble = details(error)
        if self.box is not None:
            self._error.value = f"<pre>{escape(self.trouble)}</pre>" if self.trouble else ""

    def redraw(self) -> None:
        """Show the board and the words as they are now."""
        if self.box is not None:
            board = self.board
            for square, button in self.squares.items():
                piece, new = board.pieces.get(square, ""), square in board.marked
                button.description = piece or " "  # a page would keep the piece for ""
                button.style.text_color = PIECES.get(piece, INK)
                button.style.button_color = NEW if new else PANEL
                button.layout.border = f"4px solid {INK}" if new else f"1px solid {QUIET}"
            self._words.value = f'<span aria-live="polite">{escape(self.status())}</span>'
        if self._still is not None:
            self._still.update(self._repr_mimebundle_(), raw=True)

    def html(self) -> str:
        """Return the picture, with a style that shows either it or the widgets."""
        if self.box is None:
            return super().html()
        style, still = GIVE_WAY.replace("MARK", self._mark), super().html()
        words = "<p>To play on, run this cell again.</p>"
        return f'{style}<div class="{self._mark}-still">{still}{words}</div>'

    def _ipython_display_(self) -> None:
        """Show the widgets, and after them the picture, which stays in the notebook."""
        if self.box is None:
            raise NotImplementedError  # which asks for the bundle
        from IPython import display

        show: Any = display.display
        view = "application/vnd.jupyter.widget-view+json"
        show({"text/plain": "", view: self.box._repr_mimebundle_()[view]}, raw=True)
        self._still = show(self._repr_mimebundle_(), raw=True, display_id=True)


class Canvas_TicTacToe(BoardGame):  # noqa: N801 - as its readers know it from the textbook's code
    """Play tic-tac-toe on a board of any size by clicking squares."""


class Canvas_ConnectFour(BoardGame):  # noqa: N801
    """Play Connect Four by clicking columns."""

    from_bottom = True

    def usual(self, notebook: dict[str, Any]) -> games.ConnectFour:
        """Return the game to be played if none is given."""
        return games.ConnectFour()

    def size(self) -> tuple[int, int]:
        """Return the numbers of rows and columns."""
        return self.game.rows, self.game.columns


def _player(piece: str, player: Any) -> tuple[str, Any]:
    """Return a player in words, and its program or None for a human; TypeError for others."""
    if player in ("human", human_player):
        return f"{piece} (you)", None
    name, program = (
        ("random", random_player) if player == "random" else (games.name_of(player), player)
    )
    if isinstance(program, type) or not callable(program):
        raise TypeError(
            f"{player!r} cannot play: a player is 'human', 'random', or can be called with a game "
            "and a state, such as MiniMax()"
        )
    return f"{piece} ({name})", program
