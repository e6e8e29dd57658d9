"""Ask whether boards and trees do what clicks ask for, from the widgets that a page shows."""

from collections.abc import Callable
from typing import Any

import pytest
from solution import AlphaBeta, MiniMax, TicTacToe

from canvas import (
    Canvas_alpha_beta,
    Canvas_ConnectFour,
    Canvas_min_max,
    Canvas_TicTacToe,
    boards,
    drawing,
)
from games import Fig52Game, Game, human_player, random_player


@pytest.fixture(autouse=True)
def looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be a page."""
    monkeypatch.setattr(drawing, "has_kernel", lambda: True)


def click_square(board: Any, row: int, column: int) -> None:
    board.squares[row, column].click()


def press(shown: Any, label: str) -> None:
    """Press a button below a board."""
    next(one for one in shown.box.children[-2].children if one.description == label).click()


def said(shown: Any) -> str:
    return str(shown.box.children[-3].value)


def wrong(shown: Any) -> str:
    return str(shown.box.children[-1].value)


def tic_tac_toe(*players: Any, **options: Any) -> Any:
    options = {"game": TicTacToe()} | options
    return Canvas_TicTacToe("A game", *players, **options)


def connect_four(*players: Any) -> Any:
    return Canvas_ConnectFour("Four", *players)


# --- tic-tac-toe -----------------------------------------------------------------------------


def test_a_click_plays_and_the_program_answers() -> None:
    """After a click, are both pieces on the board, and is it the human's turn again?

    Does each button bear its piece, tell its place, and stay where the keyboard finds it?
    """
    board = tic_tac_toe(human_player, AlphaBeta(9))
    click_square(board, 0, 0)
    assert dict(board.state.board) == {(0, 0): "X", (1, 1): "O"}  # all else loses against a corner
    assert "O (AlphaBeta) played (1, 1)" in said(board)
    assert "X (you) to move: click a square." in said(board)
    on_buttons = {place: one.description for place, one in board.squares.items()}
    assert on_buttons == dict.fromkeys(board.squares, " ") | {(0, 0): "X", (1, 1): "O"}
    assert all(one.tooltip == str(square) for square, one in board.squares.items())
    assert not any(one.disabled for one in board.squares.values())  # which would lose the focus
    press(board, "Restart")
    assert {one.description for one in board.squares.values()} == {" "}


def test_clicks_that_mean_nothing_change_nothing() -> None:
    """Are clicks on taken squares and after the end without effect?"""
    board = tic_tac_toe("human", "human")
    click_square(board, 1, 1)
    before = board.state
    click_square(board, 1, 1)
    assert "(1, 1) is not possible here." in said(board)
    assert board.state is before
    for square in (0, 0), (0, 1), (2, 2), (2, 1):
        click_square(board, *square)
    over = board.state
    click_square(board, 0, 2)
    assert board.state is over
    assert "The game is over: X (you) has won." in said(board)


def test_any_board_can_be_clicked() -> None:
    """On a board of any size, does each square that is clicked get its piece?

    Where pieces drop, do they pile up from the bottom, whichever row is clicked? Have the last
    move, and the line that has won, a thick edge, to be seen without colours, too?
    """
    board = tic_tac_toe("human", "human", game=TicTacToe(2, 5, 9))
    squares = [(row, column) for column in range(5) for row in (1, 0)]
    for square in squares:
        click_square(board, *square)
    assert board.state.board == {one: "XO"[n % 2] for n, one in enumerate(squares)}
    board = connect_four("human", "human")
    rows = [board.squares[row, 0] for row in range(6)]
    assert [*board.box.children[1].children][::7] == rows[::-1]
    moves = [(5, 0), (0, 1), (3, 0), (0, 1), (0, 0), (5, 1), (2, 0)]
    for number, square in enumerate(moves, start=1):
        click_square(board, *square)
        thick = [where for where, one in board.squares.items() if "4px" in one.layout.border_top]
        new = ((number - 1) // 2, square[1])
        assert sorted(thick) == ([new] if number < 7 else [(row, 0) for row in range(4)])
        assert board.state.board[new] == "XO"[(number - 1) % 2]


def test_programs_move_by_themselves_or_one_by_one() -> None:
    """Does X move by itself when it is a program, and again after a restart?

    Of two, does each press of the button make one move, and none of them once it is over?
    """
    board = tic_tac_toe("random", "human")
    assert list(board.state.board.values()) == ["X"]
    click_square(board, *next(iter(board.state.moves)))
    assert len(board.state.board) == 3
    press(board, "Restart")
    assert list(board.state.board.values()) == ["X"]
    board = tic_tac_toe(AlphaBeta(9), AlphaBeta(9))
    assert board.state.board == {}
    for pieces in range(1, 10):
        press(board, "Next move")
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
        (broken, "RuntimeError: no idea", "in broken"),
        (interrupted, "KeyboardInterrupt", "in interrupted"),
        (lambda game, state: (0, 0), "(0, 0), played by &lt;lambda&gt; as O, is not a", "(2, 2)"),
    ],
)
def test_a_program_that_fails_is_shown(
    program: Callable[..., Any], reason: str, details: str
) -> None:
    """Is an error or an illegal move told under the board, until the game starts again?"""
    board = tic_tac_toe("human", program)
    click_square(board, 0, 0)
    assert "to move." in said(board) and "O (" in said(board)
    assert reason in wrong(board)
    assert details in wrong(board)
    assert wrong(board).count("File &quot;") == 1
    click_square(board, 1, 1)
    assert board.state.board == {(0, 0): "X"}
    press(board, "Restart")
    assert (board.state.board, wrong(board)) == ({}, "")
    click_square(board, 1, 1)
    assert board.state.board[1, 1] == "X"
    press(board, "Restart")
    board.game.result = broken  # the rules may fail as well
    click_square(board, 2, 2)
    assert "RuntimeError: no idea" in wrong(board) and "in broken" in wrong(board)


def test_a_game_is_found_in_the_notebook() -> None:
    """Is TicTacToe taken from where the canvas is made, and missed with advice?"""
    names: dict[str, Any] = {"Canvas_TicTacToe": Canvas_TicTacToe}
    with pytest.raises(NameError, match="run the cell that defines TicTacToe first"):
        eval("Canvas_TicTacToe('A game')", names)
    names["TicTacToe"] = TicTacToe
    assert isinstance(eval("Canvas_TicTacToe('A game')", names).game, TicTacToe)


@pytest.mark.parametrize(
    ("player", "advice"),
    [
        ("robot", "'robot' cannot play: a player is 'human', 'random'"),
        (None, "None cannot play"),
        (MiniMax, r"MiniMax'> cannot play: .* such as MiniMax\(\)"),
    ],
)
def test_an_unknown_player_is_refused(player: Any, advice: str) -> None:
    """Is it said which players there are?"""
    with pytest.raises(TypeError, match=advice):
        tic_tac_toe("human", player)


# --- trees -----------------------------------------------------------------------------------


def test_a_search_that_fails_is_shown_under_its_tree() -> None:
    """Is the error told where the tree is, with the line in which it was raised?"""
    shown = Canvas_min_max("A tree", [1, 2, 3], broken)._repr_mimebundle_()
    assert "broken raised RuntimeError: no idea" in shown["text/plain"]
    assert "in broken" in shown["text/html"].partition("<pre>")[2]


# --- without a page --------------------------------------------------------------------------


def test_without_a_page_there_are_pictures_and_no_widgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Is a canvas a picture and text, and no script, where a notebook is graded?

    Does no program move by itself there, and can a game be played by calls? And is there the board
    to see, though nothing to click, on a page without ipywidgets?
    """
    with monkeypatch.context() as patch:
        patch.setattr(boards, "find_spec", lambda name: None)
        board = tic_tac_toe("random", "human")
    assert board.box is None and "[X]" in board._repr_mimebundle_()["text/html"]
    monkeypatch.setattr(drawing, "has_kernel", lambda: False)
    quiet = tic_tac_toe(broken, "human")
    bundle = quiet._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "image/svg+xml"}
    assert bundle["text/plain"].startswith("A game\n    0  1  2\n")
    assert (quiet.box, quiet.state.board, quiet.trouble) == (None, {}, "")
    with pytest.raises(NotImplementedError):
        quiet._ipython_display_()
    four = connect_four("human", random_player)
    four.play(3)
    assert len(four.state.board) == 2 and "[O]" in str(four)
    bundle = Canvas_alpha_beta("A tree", Fig52Game(), AlphaBeta())._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "image/svg+xml"}
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
    assert f"course-board-{board.box.model_id}" in board.box._dom_classes
    click_square(board, 1, 1)
    assert shown[0] is widgets
    assert "[X]" in shown[1]["text/html"]
    assert "[X]" not in empty["text/html"]
