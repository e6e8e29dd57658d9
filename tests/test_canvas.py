"""Ask whether boards and trees do what clicks ask for, from what would be sent to a page."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import ipycanvas.canvas
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from solution import solution

from canvas import (
    Canvas_alpha_beta,
    Canvas_ConnectFour,
    Canvas_min_max,
    Canvas_search,
    Canvas_TicTacToe,
    page,
)
from canvas.drawing import FONT, Circle, Line, Picture, Polygon, Shape, Words
from games import ConnectFour, Fig52Game, Game, GameState, TreeGame, human_player, random_player

MiniMax, AlphaBeta, TicTacToe = (
    solution()[name] for name in ("MiniMax", "AlphaBeta", "TicTacToe")
)  # fmt: skip
LAW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # no clock in a law
COMMANDS = {number: name for name, number in ipycanvas.canvas.COMMANDS.items()}
ATTRIBUTES = {number: name for name, number in ipycanvas.canvas.Canvas.ATTRS.items()}
MANAGER = ipycanvas.canvas._CANVAS_MANAGER
Command = tuple[str, tuple[Any, ...]]


@contextmanager
def sent() -> Iterator[list[Command]]:
    """List the drawing commands that are sent while the block runs, and let them be sent."""
    commands: list[Command] = []
    send = type(MANAGER).send_command

    def listen(canvas: Any, command: Any, buffers: Any = ()) -> None:
        name, values = COMMANDS[command[0]], list(command[1] if len(command) > 1 else ())
        if name == "set":
            values[0] = ATTRIBUTES[values[0]]
        commands.append((name, tuple(values)))
        send(MANAGER, canvas, command, list(buffers))

    MANAGER.send_command = listen
    try:
        yield commands
    finally:
        del MANAGER.send_command


def event(shown: Any, kind: str, x: float, y: float) -> None:
    canvas = shown.screen.canvas
    where = {"event": kind, "x": page.FINE * x, "y": page.FINE * y}
    canvas._handle_frontend_event(canvas, where, [])


def click(shown: Any, x: float, y: float) -> None:
    """Move the pointer to a point of the picture and press, as a page reports it."""
    for kind in ("mouse_move", "mouse_down", "mouse_up"):
        event(shown, kind, x, y)


def click_square(board: Any, row: int, column: int) -> None:
    click(board, *board.places.centre((row, column)))


def press(shown: Any, label: str) -> None:
    """Press a button below a canvas."""
    next(
        b for b in shown.box.children[3].children if getattr(b, "description", "") == label
    ).click()


def said(shown: Any) -> str:
    return str(shown.box.children[2].value)


def wrong(shown: Any) -> str:
    return str(shown.box.children[4].value)


def tic_tac_toe(*players: Any, **options: Any) -> Any:
    options = {"game": TicTacToe(), "live": True} | options
    return Canvas_TicTacToe("A game", *players, **options)


# --- painting --------------------------------------------------------------------------------


def painted(shapes: list[Shape]) -> list[Command]:
    screen = page.Screen(300, 200, print, print)
    with sent() as commands:
        screen.show(Picture(300, 200, shapes, ""))
    start = commands.index(("fill", ("nonzero",)))  # of the panel
    return commands[start + 1 : -1]


def test_each_shape_is_painted_in_its_colours() -> None:
    """Are lines, circles, outlines and words sent with their places, colours and widths?"""
    assert painted([Line(1, 2, 3, 4, "#112233", 5)]) == [
        ("set", ("stroke_style", "#112233")),
        ("set", ("line_width", 5)),
        ("setLineDash", ([],)),
        ("strokeLine", (1, 2, 3, 4)),
    ]
    assert painted([Circle(5, 6, 7, "#445566", "#778899", 2)]) == [
        ("set", ("fill_style", "#445566")),
        ("fillCircle", (5, 6, 7)),
        ("set", ("stroke_style", "#778899")),
        ("set", ("line_width", 2)),
        ("setLineDash", ([],)),
        ("strokeCircle", (5, 6, 7)),
    ]
    assert painted([Polygon([(0, 0), (9, 0), (0, 9)], None, "#778899", 1, True)])[:7] == [
        ("beginPath", ()),
        ("moveTo", (0, 0)),
        ("lineTo", (9, 0)),
        ("lineTo", (0, 9)),
        ("closePath", ()),
        ("set", ("stroke_style", "#778899")),
        ("set", ("line_width", 1)),
    ]
    assert painted([Words(1, 2, "here", 12, "#112233", bold=True, anchor="end")]) == [
        ("set", ("fill_style", "#112233")),
        ("set", ("font", f"bold 12px {FONT}")),
        ("set", ("text_align", "right")),
        ("fillText", ("here", 1, 2)),
    ]


def test_dashes_end_where_they_should() -> None:
    """Is a line after a dashed one drawn through again?"""
    lines: list[Shape] = [Line(0, 0, 1, 1, dashed=True), Line(1, 1, 2, 2)]
    dashes = [values for name, values in painted(lines) if name == "setLineDash"]
    assert dashes == [([5, 4],), ([],)]


def test_a_picture_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """Does a page, which takes a thousand messages a second at most, get a drawing as one?"""
    messages: list[Any] = []
    monkeypatch.setattr(
        MANAGER, "_send_custom", lambda command, buffers=(): messages.append(command)
    )
    screen = page.Screen(300, 200, print, print)
    messages.clear()
    screen.show(Picture(300, 200, [Line(0, 0, n, n) for n in range(5000)], ""))
    assert len(messages) == 1
    assert len(messages[0]) > 5000


def test_an_error_while_painting_does_not_silence_what_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After something that cannot be painted, are other pictures still sent?"""
    screen = page.Screen(300, 200, print, print)
    with pytest.raises(AttributeError):
        screen.show(Picture(300, 200, [None], ""))  # type: ignore[list-item]
    messages: list[Any] = []
    monkeypatch.setattr(
        MANAGER, "_send_custom", lambda command, buffers=(): messages.append(command)
    )
    screen.show(Picture(300, 200, [], ""))
    assert len(messages) == 1


def test_a_page_that_is_loaded_again_gets_the_picture_again() -> None:
    """Is the board drawn anew for a new page, which is told first which canvas is meant?"""
    board = tic_tac_toe()
    click_square(board, 1, 1)
    canvas = board.screen.canvas
    sends: list[Any] = []
    original = MANAGER._send_custom
    MANAGER._send_custom = lambda command, buffers=(): sends.append(command)
    try:
        canvas._handle_frontend_event(canvas, {"event": "client_ready"}, [])
    finally:
        MANAGER._send_custom = original
    names = [COMMANDS[command[0]] for command in sends[0]]
    assert names[0] == "switchCanvas"
    assert names.count("strokeCircle") == 1  # random's piece
    assert names.count("strokeLine") == 4 + 2  # the lines of the board, and the X


# --- tic-tac-toe -----------------------------------------------------------------------------


def test_a_click_plays_and_the_program_answers() -> None:
    """After a click, are both pieces on the board, and is it the human's turn again?"""
    board = tic_tac_toe("human", AlphaBeta(9))
    click_square(board, 0, 0)
    assert dict(board.state.board) == {(0, 0): "X", (1, 1): "O"}  # all else loses against a corner
    assert "O (AlphaBeta) played (1, 1)" in said(board)
    assert "X (you) to move: click a square." in said(board)


def test_the_first_click_counts_where_the_pointer_was() -> None:
    """Is a click right that the page reports off by a scroll, as on a half-visible board?"""
    board = tic_tac_toe()
    x, y = board.places.centre((0, 2))
    event(board, "mouse_move", x, y)
    event(board, "mouse_down", x, y + 2 * board.places.side)
    assert board.state.board[0, 2] == "X"


def test_a_click_without_a_pointer_counts_where_it_is() -> None:
    """Is a tap on a touch screen, where no pointer moves, a click as well?"""
    board = tic_tac_toe()
    event(board, "mouse_out", 0, 0)
    event(board, "mouse_down", *board.places.centre((2, 0)))
    assert board.state.board[2, 0] == "X"


def test_a_page_that_is_loaded_again_knows_no_pointer() -> None:
    """Is a click right after a reload, where the pointer was elsewhere in the page before?"""
    board = tic_tac_toe()
    event(board, "mouse_move", *board.places.centre((0, 2)))
    event(board, "client_ready", 0, 0)
    event(board, "mouse_down", *board.places.centre((2, 0)))
    assert board.state.board[2, 0] == "X"


def test_clicks_that_mean_nothing_change_nothing() -> None:
    """Are clicks on taken squares, on the edge and after the end without effect?"""
    board = tic_tac_toe("human", "human")
    click_square(board, 1, 1)
    before = board.state
    click_square(board, 1, 1)
    assert "(1, 1) is not possible here." in said(board)
    click(board, 3, 3)
    assert board.state is before
    for square in (0, 0), (0, 1), (2, 2), (2, 1):
        click_square(board, *square)
    over = board.state
    click_square(board, 0, 2)
    assert board.state is over
    assert "The game is over: X (you) has won." in said(board)


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        ([(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)], {(0, 0), (0, 1), (0, 2)}),
        ([(2, 0), (0, 0), (1, 1), (0, 1), (0, 2)], {(2, 0), (1, 1), (0, 2)}),
        ([(0, 0), (0, 1), (2, 2), (1, 1), (2, 0), (2, 1)], {(0, 1), (1, 1), (2, 1)}),
    ],
)  # fmt: skip
def test_the_line_that_has_won_is_marked(moves: list[Any], line: set[Any]) -> None:
    """Is it the pieces of the line and no others, also where the winner holds more?"""
    board = tic_tac_toe("human", "human")
    for move in moves:
        assert board.line == []
        click_square(board, *move)
    assert set(board.line) == line


def test_a_draw_has_no_line() -> None:
    """Is a full board without a winner called a draw, and nothing marked?"""
    board = tic_tac_toe("human", "human")
    for square in (0, 0), (1, 1), (2, 2), (0, 1), (2, 1), (2, 0), (0, 2), (1, 2), (1, 0):
        click_square(board, *square)
    assert board.line == []
    assert "a draw" in said(board)


@LAW
@given(st.integers(1, 5), st.integers(1, 6), st.data())
def test_any_board_can_be_clicked(h: int, v: int, data: st.DataObject) -> None:
    """On a board of any size, does each square that is clicked get its piece?"""
    board = tic_tac_toe("human", "human", game=TicTacToe(h, v, 9))
    squares = [(row, column) for row in range(h) for column in range(v)]
    for square in data.draw(st.permutations(squares)):
        click_square(board, *square)
    assert list(board.state.board.values()).count("X") == (h * v + 1) // 2
    assert set(board.state.board) == set(squares)


def test_a_program_that_goes_first_has_moved() -> None:
    """Does X move by itself when it is a program, and again after a restart?"""
    board = tic_tac_toe("random", "human")
    assert list(board.state.board.values()) == ["X"]
    click_square(board, *next(iter(board.state.moves)))
    assert len(board.state.board) == 3
    press(board, "Restart")
    assert list(board.state.board.values()) == ["X"]


def test_two_programs_move_one_by_one() -> None:
    """Does each press of the button, or click, make one move, and none of them once it is over?"""
    board = tic_tac_toe(AlphaBeta(9), MiniMax())
    assert board.state.board == {}
    for pieces in range(1, 10):
        press(board, "Next move") if pieces % 2 else click(board, 5, 5)
        assert len(board.state.board) == pieces
    press(board, "Next move")
    assert len(board.state.board) == 9
    assert "a draw" in said(board)


def broken(game: Game, state: Any) -> Any:
    raise RuntimeError("no idea")


def interrupted(game: Game, state: Any) -> Any:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("program", "reason", "details"),
    [
        (broken, "O (broken) raised RuntimeError: no idea", "in broken"),
        (interrupted, "O (interrupted) raised KeyboardInterrupt", "in interrupted"),
        (lambda game, state: (0, 0), "O (&lt;lambda&gt;) played (0, 0), which is not a", "(2, 2)"),
        (lambda game, state: None, "O (&lt;lambda&gt;) played None, which is not a", "(2, 2)"),
    ],
)
def test_a_program_that_fails_is_shown(
    program: Callable[..., Any], reason: str, details: str
) -> None:
    """Is an error or an illegal move told under the board, until the game starts again?"""
    board = tic_tac_toe("human", program)
    click_square(board, 0, 0)
    assert reason in said(board)
    assert details in wrong(board)
    click_square(board, 1, 1)
    assert board.state.board == {(0, 0): "X"}
    press(board, "Restart")
    assert (board.state.board, wrong(board)) == ({}, "")
    click_square(board, 1, 1)
    assert board.state.board[1, 1] == "X"


def test_rules_that_fail_are_shown() -> None:
    """Is an error in the student's own game told as well?"""

    class Unfinished(TicTacToe):  # type: ignore[misc, valid-type]
        def result(self, state: GameState, move: Any) -> GameState:
            raise NotImplementedError

    board = tic_tac_toe(game=Unfinished())
    click_square(board, 0, 0)
    assert "Unfinished raised NotImplementedError after (0, 0)" in said(board)
    assert "in result" in wrong(board)


def test_an_error_of_our_own_is_shown_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Is what goes wrong in a callback seen, though ipywidgets swallows it?"""
    board = tic_tac_toe()
    monkeypatch.setattr(board, "places", None)
    click(board, 50, 50)
    assert "AttributeError" in wrong(board)


def test_the_square_under_the_pointer_shows_what_a_click_would_do() -> None:
    """Is a pale piece drawn on a free square, once, and gone when the pointer leaves?"""
    board = tic_tac_toe()
    x, y = board.places.centre((0, 0))
    with sent() as commands:
        event(board, "mouse_move", x, y)
        event(board, "mouse_move", x + 1, y)
    pale = ("set", ("stroke_style", "#b9d8ea"))
    assert commands.count(pale) == 1
    with sent() as commands:
        event(board, "mouse_out", x, y)
    assert pale not in commands
    assert "strokeLine" in [name for name, _ in commands]


def test_a_game_is_found_in_the_notebook() -> None:
    """Is TicTacToe taken from where the canvas is made, and missed with advice?"""
    with pytest.raises(NameError, match="run the cell that defines TicTacToe first"):
        eval("Canvas_TicTacToe('A game')", {"Canvas_TicTacToe": Canvas_TicTacToe})
    names = {"Canvas_TicTacToe": Canvas_TicTacToe, "TicTacToe": TicTacToe}
    board = eval("Canvas_TicTacToe('A game', live=False)", names)
    assert isinstance(board.game, TicTacToe)


@pytest.mark.parametrize(
    ("player", "advice"),
    [
        ("robot", "'robot' cannot play: a player is 'human', 'random'"),
        (None, "None cannot play"),
        (MiniMax, r"MiniMax is a class: give a player, MiniMax\(\)"),
    ],
)
def test_an_unknown_player_is_refused(player: Any, advice: str) -> None:
    """Is it said which players there are?"""
    with pytest.raises(TypeError, match=advice):
        tic_tac_toe("human", player)


def key(board: Any, move: Any) -> None:
    """Press the button of a move."""
    board.keys[move].click()


def test_a_board_is_played_by_keys() -> None:
    """Is there a button for each move, shown on demand, which plays it and then bears the piece?"""
    board = tic_tac_toe("human", AlphaBeta(9))
    restart, shown, keys = board.box.children[3].children
    assert [one.description for one in keys.children] == [str(move) for move in board.state.moves]
    assert (restart.description, keys.layout.display) == ("Restart", "none")
    shown.value = True
    assert keys.layout.display == "grid"
    key(board, (0, 0))
    assert [one.description for one in keys.children][:5] == [
        "X",
        "(0, 1)",
        "(0, 2)",
        "(1, 0)",
        "O",
    ]
    key(board, (0, 0))
    assert "(0, 0) is not possible here." in said(board)
    assert not any(one.disabled for one in keys.children)  # which would lose the focus
    press(board, "Restart")
    assert keys.children[0].description == "(0, 0)"


def test_columns_are_keys_and_programs_have_none() -> None:
    """Has Connect Four a button for each column, and a game that nobody plays none?"""
    board = connect_four("human", "human")
    for column in (3, 3, 6):
        key(board, column)
    assert dict(board.state.board) == {(0, 3): "X", (1, 3): "O", (0, 6): "X"}
    assert connect_four("random", "random").keys == {}


def test_those_who_type_moves_click_here() -> None:
    """Is `human_player`, who would wait for the keyboard, taken for a human who clicks?"""
    board = tic_tac_toe(human_player, human_player)
    click_square(board, 0, 0)
    assert board.state.board == {(0, 0): "X"}


# --- Connect Four ----------------------------------------------------------------------------


def connect_four(*players: Any, **options: Any) -> Any:
    return Canvas_ConnectFour("Four", *players, **{"live": True} | options)


def test_a_click_anywhere_in_a_column_drops_a_piece() -> None:
    """Do pieces pile up from the bottom, whichever row is clicked?"""
    board = connect_four("human", "human")
    for row in (5, 0, 3):
        click_square(board, row, 2)
    assert dict(board.state.board) == {(0, 2): "X", (1, 2): "O", (2, 2): "X"}


def test_a_piece_is_seen_to_fall() -> None:
    """Is it drawn in each row on its way, the page waiting in between, and last at its place?"""
    board = connect_four("human", "human")
    with sent() as commands:
        click_square(board, 3, 4)
    letters = [values[2] for name, values in commands if name == "fillText" and values[0] == "X"]
    heights = [board.places.centre((row, 4))[1] for row in (5, 4, 3, 2, 1, 0)]
    assert letters == [pytest.approx(y + 0.13 * board.places.side) for y in heights]
    assert [values for name, values in commands if name == "sleep"] == [(40,)] * 5


def test_the_column_under_the_pointer_is_lit() -> None:
    """Is the column marked from top to bottom, and the place where the piece would land?"""
    board = connect_four("human", "human")
    click_square(board, 0, 3)
    with sent() as commands:
        event(board, "mouse_move", *board.places.centre((5, 3)))
        event(board, "mouse_move", *board.places.centre((5, 4)))
    assert ("set", ("fill_style", "#bac8d8")) in commands
    pale = ("set", ("fill_style", "#f5cfb3"))
    landed = [after[1][:2] for before, after in pairwise(commands) if before == pale]
    assert landed == [board.places.centre((1, 3)), board.places.centre((0, 4))]


def test_a_full_column_is_refused() -> None:
    """Is a click into a full column told and not played?"""
    board = connect_four("human", "human", game=ConnectFour(2, 3, 3))
    for _ in range(3):
        click_square(board, 0, 1)
    assert len(board.state.board) == 2
    assert "1 is not possible here." in said(board)


@LAW
@given(st.integers(0, 2**32))
def test_the_line_of_four_is_found(seed: int) -> None:
    """In random games, are the marked pieces four of the winner in a straight line?"""
    rng = random.Random(seed)
    board = connect_four("human", "human", live=False)
    while not board.over():
        board.play(rng.choice(board.state.moves))
    if board.state.utility == 0:
        assert board.line == []
        return
    (r0, c0), (r1, c1) = board.line[:2]
    assert board.line == [(r0 + i * (r1 - r0), c0 + i * (c1 - c0)) for i in range(4)]
    assert max(abs(r1 - r0), abs(c1 - c0)) == 1
    winner = "X" if board.state.utility > 0 else "O"
    assert {board.state.board[square] for square in board.line} == {winner}
    assert board.last in board.line


def test_programs_play_connect_four() -> None:
    """Does a search answer a click, and win where it can?"""
    board = connect_four("human", AlphaBeta(2))
    for column in (0, 1, 0, 1):
        click_square(board, 0, column)
    assert len(board.state.board) == 8


# --- trees -----------------------------------------------------------------------------------


def test_only_the_picture_of_alpha_beta_has_windows() -> None:
    """Are alpha and beta drawn where they are the subject, and left out where they are not?"""
    for kind, shows in (Canvas_alpha_beta, True), (Canvas_min_max, False):
        drawn = kind("A tree", range(27), AlphaBeta(9), live=False)
        assert any("α" in getattr(shape, "words", "") for shape in drawn.picture().shapes) is shows


def test_a_search_that_fails_is_shown_under_its_tree() -> None:
    """Is the error told where the tree is, with the line in which it was raised?"""
    shown = Canvas_min_max("A tree", [1, 2, 3], broken, live=True)._repr_mimebundle_()
    assert "broken raised RuntimeError: no idea" in shown["text/plain"]
    assert "in broken" in shown["text/html"].partition("<pre>")[2]


def test_a_part_of_a_large_tree_is_looked_at() -> None:
    """Is the same search shown below the moves that are named, as deep as was asked for?"""
    tree = Canvas_search("A search", TicTacToe(), AlphaBeta(4), depth=2, live=False)
    first = tree.search.root.children[0]
    closer = tree.closer(first.move)
    assert (closer.root, closer.search, tree.root) == (first, tree.search, tree.search.root)
    assert len(closer.stops) < len(tree.stops)
    second = first.children[0]
    assert str(closer.closer(second.move)) == str(tree.closer(first.move, second.move))
    deepest = max(node.depth for node in closer._view(0).nodes())
    assert deepest == first.depth + 2


def test_what_was_not_searched_cannot_be_looked_at() -> None:
    """Is a move that leads nowhere refused, with those that lead somewhere?"""
    tree = Canvas_alpha_beta("Figure 5.2", Fig52Game(), AlphaBeta(), live=False)
    with pytest.raises(ValueError, match=r"below 'a4' at A: there is 'a1', 'a2', 'a3'$"):
        tree.closer("a4")
    with pytest.raises(ValueError, match=r"below 'b1' at B: there is nothing$"):
        tree.closer("a1", "b1")


def test_a_large_tree_is_stepped_where_it_can_be_seen() -> None:
    """Does each step change something in the part that is drawn, though the search went deeper?"""
    tree = Canvas_search("A search", TicTacToe(), AlphaBeta(9), depth=1, live=False)
    assert len(tree.search.steps) > 18_296
    assert len(tree.stops) == 1 + 2 * 9 + 1  # the start; nine moves, down and back; the end


def test_a_tree_that_nobody_could_read_has_less_plies() -> None:
    """Of four thousand nodes, are those drawn that fit, and can one go on below them?"""
    leaves = [(7 * n) % 4099 for n in range(16**3)]
    tree = Canvas_search("A search", TreeGame(leaves, 16), MiniMax(), live=False)
    assert len(tree._view(0).nodes()) == 1 + 16
    assert len(tree.closer(3)._view(0).nodes()) == 1 + 16
    assert "4,368 states looked at, 4096 of 4096 leaves" in tree.status()


# --- without a page --------------------------------------------------------------------------


def test_without_a_page_there_are_no_widgets() -> None:
    """Is a board a picture and text where no kernel has a page, unless widgets are asked for?"""
    quiet = Canvas_TicTacToe("A game", game=TicTacToe())
    assert quiet.box is None
    bundle = quiet._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "image/svg+xml"}
    assert bundle["text/plain"].startswith("A game\n    0  1  2\n")
    with pytest.raises(NotImplementedError):
        quiet._ipython_display_()
    assert set(tic_tac_toe()._repr_mimebundle_()) == {"text/plain", "text/html"}


def test_without_a_page_no_program_moves_by_itself() -> None:
    """Is a notebook that is run to be graded not held up by a program that goes first?"""
    board = Canvas_TicTacToe("A game", broken, "human", game=TicTacToe())
    assert board.state.board == {}
    assert board.trouble == ""


def test_a_tree_on_paper_shows_the_end() -> None:
    """Is there a drawing of the whole search, and no script, where a notebook is graded?"""
    bundle = Canvas_alpha_beta("A tree", Fig52Game(), AlphaBeta())._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "image/svg+xml"}
    assert "C2 = 4 pruned" in bundle["text/plain"]
    assert "MAX chooses a1" in bundle["image/svg+xml"]


def test_a_board_keeps_its_last_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Is a picture shown after the widgets, and is it another one after a click?"""
    shown: list[Any] = []

    class Handle:
        def update(self, data: Any, raw: bool) -> None:
            shown[-1] = data

    def display(data: Any, raw: bool, display_id: bool = False) -> Any:
        shown.append(data)
        return Handle() if display_id else None

    monkeypatch.setattr("IPython.display.display", display)
    board = tic_tac_toe("human", "human")
    board._ipython_display_()
    widgets, empty = shown
    assert set(widgets) == {"text/plain", "application/vnd.jupyter.widget-view+json"}
    assert f"course-canvas-{board.box.model_id}" in board.box._dom_classes
    click_square(board, 1, 1)
    assert shown[0] is widgets
    assert "[X]" in shown[1]["text/html"]
    assert "[X]" not in empty["text/html"]


@pytest.mark.parametrize("depth", [9, 4])
def test_a_kept_picture_is_small_enough_to_be_kept(depth: int) -> None:
    """Does the picture of a large search fit into what the referee keeps of a cell?"""
    from referee.sandbox.inside.shell import OUTPUT_CHARACTERS

    tree = Canvas_search("A search", TicTacToe(), AlphaBeta(depth), live=False)
    assert sum(map(len, tree._repr_mimebundle_().values())) < OUTPUT_CHARACTERS


def test_pieces_are_played_without_a_page() -> None:
    """Can a game be played by calls, and is the board then shown as it is?"""
    board = Canvas_ConnectFour("Four", "human", random_player)
    board.play(3)
    assert len(board.state.board) == 2
    assert " 0 " in str(board)


def test_a_tree_of_any_small_game_will_do() -> None:
    """Are leaves, a TreeGame and figure 5.2 all drawn?"""
    leaves = [5, 1, 2, 3]
    for game in (TreeGame(leaves, branching=2), Fig52Game(), [3, 1, 2]):
        tree = Canvas_min_max("A tree", game, MiniMax(), live=False)
        assert "chooses" in tree.status()
