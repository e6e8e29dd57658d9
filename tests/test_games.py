"""Ask whether the student library keeps its contract: games, players, pictures, openings."""

import doctest
import io
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from textbook import Playout, expect_by_the_rules, playouts

import games
from adversarial.games.rules import TicTacToe, lines
from adversarial.solvers.tictactoe import Oracle
from games import (
    OPENINGS,
    ConnectFour,
    Fig52Game,
    Game,
    GameState,
    IllegalMove,
    Player,
    TreeGame,
    after,
    human_player,
    infinity,
    query_player,
    random_player,
    state_from,
)
from handout.trees import personal_leaves

LAW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # no clock in a law


def follow(*moves: Any) -> Callable[[Game, Any], Any]:
    """Make a player that plays these moves, whatever happens."""
    script = iter(moves)
    return lambda game, state: next(script)


class TakeAway(Game):
    """Take one or two from a heap in turn; who takes the last one wins. All on the defaults."""

    def __init__(self, heap: int = 5) -> None:
        self.heap = heap

    @property
    def initial(self) -> GameState:
        return GameState("X", 0, {(0, 0): "X" * self.heap}, [])

    def actions(self, state: GameState) -> Iterator[int]:
        return (n for n in (1, 2) if n <= len(state.board[0, 0]))

    def result(self, state: GameState, move: int) -> GameState:
        heap = state.board[0, 0][move:]
        won = 0 if heap else {"X": 1, "O": -1}[state.to_move]
        return GameState("O" if state.to_move == "X" else "X", won, {(0, 0): heap}, [])

    def utility(self, state: GameState, player: str) -> float:
        return state.utility if player == "X" else -state.utility


# --- what the library is, and is not ---------------------------------------------------------


def test_star_import_gives_exactly_the_names_of_the_contract() -> None:
    """Does a notebook that imports everything get what is promised, and nothing that changes?

    And does each example in a docstring do what is printed below it?
    """
    promised = """
        OPENINGS ConnectFour Fig52Game Game GameState IllegalMove Move Player Square State
        TreeGame after human_player infinity query_player random_player state_from
    """
    assert sorted(games.__all__) == sorted(promised.split())
    assert infinity == float("inf") and isinstance(OPENINGS, tuple)
    assert query_player is human_player and issubclass(IllegalMove, ValueError)
    assert GameState._fields == ("to_move", "utility", "board", "moves")
    assert Game.__abstractmethods__ == {"actions", "result", "utility"}
    assert Player.__abstractmethods__ == {"__call__"}
    found = doctest.testmod(games)
    assert found.failed == 0 < found.attempted


# --- play_game -------------------------------------------------------------------------------


def test_defaults_serve_a_game_whose_actions_are_a_generator(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Does a game with only actions, result and utility play, end when no move is left, show?"""
    game = TakeAway(3)
    assert game.to_move(game.initial) == "X"
    assert not game.terminal_test(game.initial)
    assert game.terminal_test(after(game, [1, 2]))
    assert game.play_game(follow(1), follow(2)) == -1
    begins_o = game.initial._replace(to_move="O")  # utility is for the player who moved first
    assert game.play_game(follow(1), follow(2), initial=begins_o) == -1
    assert game.play_game(follow(1.0), follow(2.0)) == -1  # the game gets the legal move itself
    assert {random_player(game, game.initial) for _ in range(99)} == {1, 2}
    game.display(game.initial)
    assert "to_move='X'" in capsys.readouterr().out


def test_players_take_turns_in_the_order_given() -> None:
    """Who moves at which ply, for one, two and three players?

    Does `initial=` hold for one game only, even when the state counts as false?
    """
    for count in (1, 2, 3):
        turns: list[tuple[int, str]] = []

        def player(game: Game, state: GameState, *, seat: int, turns: Any = turns) -> int:
            turns.append((seat, state.to_move))
            return 1

        TakeAway(5).play_game(*(partial(player, seat=seat) for seat in range(count)))
        assert turns == [(ply % count, "XOXOX"[ply]) for ply in range(5)]
    game = TreeGame(range(9))
    assert game.play_game(follow(1), initial=(2,)) == -7
    assert game.initial == ()
    game.initial = (2,)
    assert game.play_game(follow(1), follow(1), initial=()) == 4


class Blunderer(Player):
    """Play a move that is given, legal or not."""

    def __init__(self, move: Any) -> None:
        self.move = move

    def __call__(self, game: Game, state: Any) -> Any:
        return self.move


@pytest.mark.parametrize("move", [3, None, "1", {}, float("nan"), numpy.array([1, 2])], ids=repr)
def test_an_illegal_move_names_its_player(move: Any) -> None:
    """Does the error say who, as which side, did what, and what was allowed?"""
    with pytest.raises(IllegalMove) as caught:
        TakeAway().play_game(follow(1, 1), Blunderer(move))
    assert str(caught.value) == (
        f"{move!r}, played by Blunderer as O, is not a legal move; legal moves: 1, 2"
    )


def test_verbose_shows_every_state_and_who_played_what(capsys: pytest.CaptureFixture[str]) -> None:
    """Can a reader follow the game, row 0 at the bottom, and is a game silent otherwise?"""
    game = ConnectFour(rows=2, columns=11, k=2)
    game.play_game(follow(10), follow(10), follow(9))
    assert capsys.readouterr().out == ""
    game.play_game(Blunderer(10), Blunderer(10), Blunderer(9), verbose=True)
    empty, columns = ". . . . . . . . . . .", "0 1 2 3 4 5 6 7 8 9 0"
    assert capsys.readouterr().out.splitlines() == [
        *(empty, empty, columns),
        *("10 played by Blunderer as X:", empty, ". . . . . . . . . . X", columns),
        "10 played by Blunderer as O:",
        *(". . . . . . . . . . O", ". . . . . . . . . . X", columns),
        "9 played by Blunderer as X:",
        *(". . . . . . . . . . O", ". . . . . . . . . X X", columns),
    ]


# --- Fig52Game and TreeGame ------------------------------------------------------------------


@LAW
@given(st.integers(2, 4), st.integers(1, 4), st.randoms(use_true_random=False))
def test_tree_lists_its_leaves_from_left_to_right(b: int, plies: int, rng: random.Random) -> None:
    """Do the paths, level by level, reach exactly the leaves, in the order given?"""
    leaves = [rng.randint(-99, 99) for _ in range(b**plies)]
    game = TreeGame(iter(leaves), branching=b)
    level: list[tuple[int, ...]] = [game.initial]
    for depth in range(plies):
        assert {game.to_move(state) for state in level} == {("MAX", "MIN")[depth % 2]}
        assert not any(game.terminal_test(state) for state in level)
        level = [game.result(state, move) for state in level for move in game.actions(state)]
    assert all(game.terminal_test(state) for state in level)
    assert [game.utility(state, "MAX") for state in level] == leaves
    assert [-game.utility(state, "MIN") for state in level] == leaves


def test_display_of_a_tree_is_a_picture_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Does each state stand below the one that it comes from, further in, with its leaves?"""
    tree = TreeGame([1, 2, 3, 4, 5, 6, 7, 80], branching=2)
    for state in (), (1,), (1, 1), (1, 1, 1):
        tree.display(state)
    assert capsys.readouterr().out.splitlines() == [
        *("MAX", "    MIN", "        MAX 1 2", "        MAX 3 4"),
        *("    MIN", "        MAX 5 6", "        MAX 7 80"),
        *("MIN", "    MAX 5 6", "    MAX 7 80"),
        "MAX 7 80",
        "80",
    ]


IDS = st.text(min_size=1).filter(lambda text: text.strip().strip(".").strip())


@settings(LAW, max_examples=30)
@given(IDS, st.sampled_from(["", " ", "\n", "\t "]))
def test_personal_leaves_are_made_from_the_id_alone(student_id: str, space: str) -> None:
    """Are leaves different, of two digits, and the same whatever stands around the id?"""
    leaves = personal_leaves(student_id)
    assert len(set(leaves)) == 27 and set(leaves) <= set(range(10, 100))
    assert personal_leaves(space + student_id + space) == leaves
    if student_id.isascii():
        assert personal_leaves(student_id.upper()) == personal_leaves(student_id.lower()) == leaves


def test_personal_leaves_differ_from_student_to_student() -> None:
    """Has nobody in a class of 2,000 the tree of another?"""
    assert len({tuple(personal_leaves(f"s{number}")) for number in range(2000)}) == 2000


# --- ConnectFour -----------------------------------------------------------------------------


@LAW
@given(playouts(ConnectFour, 7, 7, 5))
def test_every_state_of_a_game_is_what_the_rules_make_it(playout: Playout) -> None:
    """Do pieces fall, players alternate, full columns close, and does a whole line end the game?"""
    game, states, _ = playout
    others, top = [*range(-2, game.columns + 2)], game.rows - 1
    expect_by_the_rules(
        playout, game.k, others,
        lambda board: [c for c in range(game.columns) if (top, c) not in board],
        lambda board, move: (sum(column == move for _, column in board), move),
    )  # fmt: skip
    every = lines(game.rows, game.columns, game.k)
    for state in states:
        whole = [{*line} for line in every if {*map(state.board.get, line)} in ({"X"}, {"O"})]
        assert {*game.line(state)} in (whole or [set()])


# --- players ---------------------------------------------------------------------------------


def test_random_player_is_uniform_and_replayed_by_a_seed() -> None:
    """Does each of seven moves come up in about a seventh of 7000 choices, twice the same?"""
    rng, again, game = random.Random(1), random.Random(1), ConnectFour()
    moves = [random_player(game, game.initial, rng) for _ in range(7000)]
    assert moves == [random_player(game, game.initial, rng=again) for _ in range(7000)]
    counts = Counter(moves)
    assert set(counts) == set(range(7))
    assert all(880 < count < 1120 for count in counts.values())  # 4 standard deviations of 29


@pytest.mark.parametrize(
    ("game", "answer", "move"),
    [
        (TicTacToe(), "(0, 1)", (0, 1)),
        (TicTacToe(), " 0  1 ", (0, 1)),
        (TicTacToe(), "1", (0, 1)),
        (TakeAway(), "2.0", 2),
        (Fig52Game(), "a1", "a1"),
        (Fig52Game(), "'a1'", "a1"),
    ],
)
def test_human_player_reads_moves_of_every_kind(
    monkeypatch: pytest.MonkeyPatch, game: Game, answer: str, move: Any
) -> None:
    """Is the legal move returned that the answer spells?"""
    monkeypatch.setattr("builtins.input", lambda prompt: answer)
    chosen = human_player(game, game.initial)
    assert chosen == move and type(chosen) is type(move)


@LAW
@given(st.text())
@example("__import__('os').abort()")
@example("{[]: 1}")
@example("(" * 5000)
@example("-" * 2000 + "1")
@example("9" * 9999)
def test_human_player_survives_any_text(text: str) -> None:
    """Is no answer run, and does none end the game, not even one that overwhelms the parser?"""
    answers = iter([text, "(0, 1)"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.input", lambda prompt: next(answers))
        patch.setattr("builtins.print", lambda *words: None)
        assert human_player(TicTacToe(), TicTacToe().initial) in TicTacToe().initial.moves


def test_human_player_ends_clearly_when_the_input_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Does the end of the input stop the game with a sentence, not a loop?"""
    monkeypatch.setattr("sys.stdin", io.StringIO("9\n"))
    with pytest.raises(EOFError, match=r"^the input ended before a legal move was typed$"):
        TakeAway().play_game(human_player, random_player)


# --- state_from -------------------------------------------------------------


@st.composite
def boards(draw: st.DrawFn) -> list[list[str]]:
    """Draw a board of any size on which the players have taken turns."""
    h, v = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    pieces = draw(st.integers(0, h * v))
    flat = draw(st.permutations(["XO"[i % 2] for i in range(pieces)] + ["."] * (h * v - pieces)))
    return [flat[r * v : (r + 1) * v] for r in range(h)]


@LAW
@given(
    boards(),
    st.sampled_from(["", " ", "  "]),
    st.sampled_from(["/", " / ", "\n", "\n\n  ", "/\n"]),
    st.sampled_from([0, 1, -1]),
)
def test_a_picture_becomes_the_board_it_shows(
    rows: list[list[str]], gap: str, end: str, utility: int
) -> None:
    """Is every square read, however it is spaced, with the side to move, and no rule who wins?"""
    picture = end + end.join(gap.join(row) for row in rows) + end
    state = state_from(picture, utility=utility)
    squares = {(r, c): symbol for r, row in enumerate(rows) for c, symbol in enumerate(row)}
    assert state.board == {square: s for square, s in squares.items() if s != "."}
    assert state.moves == sorted(square for square, s in squares.items() if s == ".")
    assert state.to_move == "XO"[len(state.board) % 2]
    assert state.utility == utility and state_from(picture).utility == 0


# --- what is refused -------------------------------------------------------------------------

OVER, LATE = GameState("O", 1, {}, []), GameState("O", 0, {(0, 0): "X"}, [1, 2])
TREE, FOUR, FIGURE = TreeGame(range(3)), ConnectFour(1, 3), Fig52Game()
NOT_LEGAL = "is not a legal move; legal moves:"
NO_ID = "is no student id: write yours between the quotes"
NO_BOARD = "is no board: draw equally long rows, as in X . O / . X ."
NO_LEAF = "is not a leaf: only a terminal state has a utility"
COUNTS = "cannot occur: X moves first, so there are as many X as O or one more"
REFUSED: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = [
    (TreeGame, ([], 3), "0 leaves do not fill a tree in which each state has 3 moves"),
    (TreeGame, ([0] * 6, 2), "6 leaves do not fill a tree in which each state has 2 moves"),
    (FIGURE.result, ("A", "b1"), f"'b1' in state 'A' {NOT_LEGAL} 'a1', 'a2', 'a3'"),
    (TREE.result, ((), 3), f"3 in state () {NOT_LEGAL} 0, 1, 2"),
    (TREE.result, ((1,), 0), f"0 in state (1,) {NOT_LEGAL} none, the game is over"),
    (FOUR.result, (LATE, 0), f"0 for O {NOT_LEGAL} 1, 2"),
    (FIGURE.play_game, (), "a game needs players: play_game(first_player, second_player)"),
    (random_player, (FIGURE, "B1"), "there is no move to choose in 'B1': the game is over"),
    (human_player, (FIGURE, "B1"), "there is no move to choose in 'B1': the game is over"),
    (FIGURE.utility, ("B1", "Z"), "'Z' does not play this game: the players are MAX, MIN"),
    (FOUR.utility, (OVER, "Z"), "'Z' does not play this game: the players are X, O"),
    (FIGURE.utility, ("B", "MAX"), f"'B' {NO_LEAF}"),
    (TREE.utility, ((), "MAX"), f"() {NO_LEAF}"),
    *((personal_leaves, (name,), f"{name!r} {NO_ID}") for name in ("", " ... ", 12345)),
    *((state_from, (drawn,), f"{drawn!r} {NO_BOARD}") for drawn in ("", "X 0 .", ". / . / . .")),
    (state_from, ("O . / . .",), f"0 X and 1 O {COUNTS}"),
    (state_from, ("X X / . .",), f"2 X and 0 O {COUNTS}"),
]


@pytest.mark.parametrize(("call", "given", "message"), REFUSED)
def test_what_cannot_be_is_refused_in_a_sentence(
    call: Callable[..., Any], given: tuple[Any, ...], message: str
) -> None:
    """Does it say what is wrong, where, and what to write instead, before anything is asked?"""
    with pytest.raises(ValueError) as caught:
        call(*given)
    assert str(caught.value) == message
    assert isinstance(caught.value, IllegalMove) == ("legal moves:" in message)


# --- openings --------------------------------------------------------------------------------


def test_openings_are_ten_that_differ_half_of_them_won() -> None:
    """Are no two the same after turning and mirroring, and will best play show wins and draws?"""
    assert all(one != other for one, other in OPENINGS)
    states = [after(TicTacToe(), opening) for opening in OPENINGS]
    oracle = Oracle()
    assert len(oracle.one_of_each(states, random.Random(1))) == len(OPENINGS) == 10
    assert Counter(max(oracle.values(state).values()) for state in states) == {1: 5, 0: 5}
