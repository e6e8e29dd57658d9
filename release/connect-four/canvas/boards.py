"""Play on boards that you click: any of you, your programs and chance on either side.

A board in a page is a grid of buttons, so that it is played by pointer and by keyboard; the picture
of it is what stays in the notebook. Here are no rules and no search: games and players are yours,
or those of `games`. ipywidgets is imported only where there is a page.
"""

import sys
from collections.abc import Callable
from functools import partial
from html import escape
from importlib.util import find_spec
from itertools import product
from typing import Any, TypeAlias

from games import ConnectFour, Game, GameState, Move, human_player, random_player

from .board_drawing import NEW, PIECES, Board, Square
from .drawing import INK, PANEL, QUIET, Picture
from .page import Shown
from .search import called, details

Chooser: TypeAlias = Callable[[Game, Any], Move]

FOCUS = """<style>.course-board button:focus-visible {
outline: 3px solid #0072b2 !important; outline-offset: 2px; z-index: 1; }</style>"""
# A page shows the widgets, or once they are gone the picture in the place of Jupyter's error.
GIVE_WAY = """<style>
:root:has(.MARK) :is(.MARK-still, .jp-OutputArea-child:has(.MARK-still)),
.jp-OutputArea-child:not(:has(.MARK)):has(+ .jp-OutputArea-child .MARK-still) { display: none }
</style>"""


class BoardGame(Shown):
    """A board on which a game is played by clicks, by programs, or by both."""

    from_bottom = False  # as in Connect Four, where a click means a column

    def __init__(self, name: str, game: Any, rows: int, columns: int, *players: Any) -> None:
        """Set the board up, and let a program that goes first move, if somebody is looking."""
        super().__init__(name)
        self.game, self.rows, self.columns, self.side = game, rows, columns, min(72, 420 // columns)
        self._first = game.to_move(game.initial)
        pieces = self._first, "O" if self._first == "X" else "X"
        names, self._programs = zip(*map(_player, players), strict=True)
        self._names = [f"{piece} ({name})" for piece, name in zip(pieces, names, strict=True)]
        self.squares: dict[Square, Any] = {}  # buttons
        self.box: Any = None
        self._kept: Any = None  # the picture in the notebook for when the kernel is gone
        if self.live and find_spec("ipywidgets"):
            self._build()
        self._safely(self.restart)

    def restart(self) -> None:
        """Go back to the start of the game."""
        self.state: GameState = self.game.initial
        self.last: Square | None = None
        self._remark = ""
        self.redraw()
        if self.live and None in self._programs:
            self.go_on()

    def play(self, move: Move) -> None:
        """Make a move for the human whose turn it is, and let programs answer.

        What programs and rules raise is raised, and ValueError for an illegal move of a program.
        """
        if self.over() or self._programs[self._turn()]:
            return
        if move in list(self.game.actions(self.state)):
            self._make(move, "")
            self.go_on()
        else:
            self._remark = f"{move} is not possible here."
            self.redraw()

    def go_on(self) -> None:
        """Let programs move until a human is to move; without a human, make one move."""
        while not self.over() and (program := self._programs[self._turn()]):
            name, move = self._names[self._turn()], program(self.game, self.state)
            if move not in (legal := list(self.game.actions(self.state))):
                raise ValueError(
                    f"{name} played {move!r}, which is not a legal move; legal are {legal}"
                )
            self._make(move, f"{name} played {move}.")
            if None not in self._programs:
                break

    def over(self) -> bool:
        """Return whether no move can be made any more."""
        return bool(self.game.terminal_test(self.state))

    def _turn(self) -> int:
        return int(self.game.to_move(self.state) != self._first)

    def _make(self, move: Move, remark: str) -> None:
        before, self.state = self.state.board, self.game.result(self.state, move)
        self.last = next((square for square in self.state.board if square not in before), None)
        self._remark = remark
        self.redraw()

    def board(self) -> Board:
        """Return the board as it is now, in Connect Four with the pieces that have won."""
        line = list(self.game.line(self.state)) if self.from_bottom and self.over() else []
        pieces = dict(self.state.board)
        return Board(self.rows, self.columns, pieces, self.last, line, self.from_bottom, self.side)

    def picture(self) -> Picture:
        """Draw the board."""
        return self.board().picture()

    def status(self) -> str:
        """Return the last event, and whose turn it is or how the game ended."""
        if not self.over():
            click = "" if self._programs[self._turn()] else ": click a square"
            turn = f"{self._names[self._turn()]} to move{click}."
        elif value := self.game.utility(self.state, self._first):
            turn = f"The game is over: {self._names[value < 0]} has won."
        else:
            turn = "The game is over: a draw."
        return f"{self._remark} {turn}".strip()

    # in a page

    def _build(self) -> None:
        """Put rows of buttons between title and words."""
        from ipywidgets import HTML, Button, HBox, VBox

        def button(words: str, action: Callable[[], None], **looks: Any) -> Any:
            made = Button(description=words, **looks)
            made.on_click(lambda _: self._safely(action))
            return made

        side = f"{self.side}px"
        size = {"width": side, "height": side, "margin": "1px", "padding": "0"}
        font = {"font_size": f"{self.side // 2}px", "font_weight": "bold"}
        for square in product(range(self.rows), range(self.columns)):
            action = partial(self.play, square[1] if self.from_bottom else square)
            made = button("", action, tooltip=str(square), layout=size, style=font)
            self.squares[square] = made
        buttons = list(self.squares.values())
        lines = [HBox(buttons[i : i + self.columns]) for i in range(0, len(buttons), self.columns)]
        if self.from_bottom:
            lines.reverse()
        controls = [button("Restart", self.restart, icon="undo")]
        if None not in self._programs:
            controls.append(button("Next move", self.go_on, icon="step-forward"))
        self._said, self._wrong = HTML(), HTML()
        heading = HTML(f"<b>{escape(self.title)}</b>{FOCUS}")
        self.box = VBox([heading, *lines, self._said, HBox(controls), self._wrong])
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
            self._wrong.value = f"<pre>{escape(self.trouble)}</pre>" if self.trouble else ""

    def redraw(self) -> None:
        """Show the board and the words as they are now."""
        if self.box is not None:
            board = self.board()
            for square, button in self.squares.items():
                piece, new = board.pieces.get(square, ""), board.is_new(square)
                button.description = piece or " "  # a page would keep the piece for ""
                button.style.text_color = PIECES.get(piece, INK)
                button.style.button_color = NEW if new else PANEL
                button.layout.border = f"4px solid {INK}" if new else f"1px solid {QUIET}"
            self._said.value = f'<span aria-live="polite">{escape(self.status())}</span>'
        if self._kept is not None:
            self._kept.update(self._repr_mimebundle_(), raw=True)

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
        self._kept = show(self._repr_mimebundle_(), raw=True, display_id=True)


class Canvas_TicTacToe(BoardGame):  # noqa: N801 - as its readers know it from the textbook's code
    """Play tic-tac-toe on a board of any size by clicking squares."""

    def __init__(
        self, name: str, player_1: Any = "human", player_2: Any = "random",
        game: Game | None = None,
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
        rows, columns = zip(*game.actions(game.initial), strict=True)
        super().__init__(name, game, 1 + max(rows), 1 + max(columns), player_1, player_2)


class Canvas_ConnectFour(BoardGame):  # noqa: N801
    """Play Connect Four by clicking columns."""

    from_bottom = True

    def __init__(
        self, name: str, player_1: Any = "human", player_2: Any = "random",
        game: ConnectFour | None = None,
    ) -> None:  # fmt: skip
        """Let player_1, who is X, play against player_2: "human", "random", or your own player.

        TypeError for an unknown player.
        """
        game = game or ConnectFour()
        super().__init__(name, game, game.rows, game.columns, player_1, player_2)


def _player(player: Any) -> tuple[str, Chooser | None]:
    """Return the name of a player and its program, None for a human; TypeError for others."""
    if player in ("human", human_player):
        return "you", None
    if player == "random":
        return "random", random_player
    if isinstance(player, type) or not callable(player):
        raise TypeError(
            f"{player!r} cannot play: a player is 'human', 'random', or can be called with a game "
            "and a state, such as MiniMax()"
        )
    return called(player), player
