"""Boards of tic-tac-toe for hidden checks, their exact values, and expectations of a search.

Plain functions; a function `expect_...` raises an AssertionError with a sentence that students
read.
"""

import functools
import random
from collections.abc import Callable, Container, Sequence
from typing import Any

from adversarial.checks.pruning import ON_BOARDS, FinishedSearch, expect_proven_move
from adversarial.checks.trees import ask_each, call_and_look, corridors, expect_best_in_tree
from adversarial.games import rules
from adversarial.games.recorded import Trace, UnfoldedGame
from adversarial.games.rules import tables
from adversarial.games.sent_boards import SentBoard, Square
from adversarial.solvers.tictactoe import Oracle
from games import GameState, NestedTree, state_from
from referee.sandbox.outside.student import Proxy

USUAL = 3, 3, 3
WINS_IN_ONE = ("X O X / X . O / . . O",)
BLOCKS = "X . . / . . O / . X O", "X O . / X . O / . X ."
WINS_IN_TWO = "X . . / . . O / O X .", "X O X / O . O / X . ."
LOST = "X O X / . . . / O . X", "X O X / . X . / . O ."
_GAME = rules.TicTacToe(*USUAL)

_oracle = functools.cache(Oracle)


def oracle(h: int = 3, v: int = 3, k: int = 3) -> Oracle:
    """Return the exact values on a board of `h` x `v`, `k` in a row winning."""
    return _oracle(h, v, k)


def board_tree(h: int = 3, v: int = 3, k: int = 3, start: GameState | None = None) -> Trace:
    """Return a board game unfolded into a tree, recorded: states are the paths from `start`."""
    game = rules.TicTacToe(h, v, k)
    return Trace(UnfoldedGame(game, game.initial if start is None else start))


# --- positions --------------------------------------------------------------------------------


def spread(chance: random.Random, pool: Sequence[GameState], count: int) -> list[GameState]:
    """Draw secret states of a pool, evenly over their best moves.

    So a constant answer is right in few of them.
    """
    piles: dict[Any, list[GameState]] = {}
    secret = oracle().secret(pool)
    for state in chance.sample(secret, len(secret)):
        piles.setdefault(min(oracle().best_moves(state)), []).append(state)
    states: list[GameState] = []
    while len(states) < count:
        states += [pile.pop() for pile in piles.values() if pile]
    return states[:count]


def small(pool: Sequence[GameState]) -> list[GameState]:
    """Return the states of a pool with three or four free squares: those with small trees."""
    return [state for state in pool if 3 <= len(state.moves) <= 4]


@functools.cache
def luring_blocks() -> list[GameState]:
    """Return small states to block in, where averaging over replies may give a wrong move."""
    return oracle().luring(small(oracle().block))


@functools.cache
def losses() -> list[GameState]:
    """Return the states with a choice of moves, each of which loses."""
    states = (state for state in oracle().open_states() if len(state.moves) >= 2)
    return [state for state in states if set(oracle().values(state).values()) == {-1}]


# --- what a search returns ---------------------------------------------------------------------


def expect_best(
    search: Proxy,
    questions: Sequence[tuple[Any, Any]],
    fault: str,
    size: tuple[int, int, int] = USUAL,
) -> None:
    """Expect a best move in states of a board; `fault` says what it does otherwise.

    A question is a game and a state, in the order in which the search takes them.
    """
    board, moves = oracle(*size), ask_each(search, questions)
    states = [part for question in questions for part in question if isinstance(part, GameState)]
    pairs = list(zip(states, moves, strict=True))
    illegal = sum(move not in state.moves for state, move in pairs)
    assert not illegal, (
        f"In {illegal} of {len(states)} positions of tic-tac-toe the answer was no legal move: "
        "a search returns a move, as `actions` lists it, here a tuple (row, column)."
    )
    worse = sum(move not in board.best_moves(state) for state, move in pairs)
    assert not worse, f"In {worse} of {len(states)} positions of tic-tac-toe it {fault}."


def expect_sweep(
    player: Proxy,
    board: Callable[..., Proxy],
    large: Sequence[GameState],
    chance: random.Random,
    every: Container[int],
    some: Container[int],
) -> list[FinishedSearch]:
    """Expect a best move in states of the usual board, of a 4x4 board and of other games.

    On the usual board they are all states in which so many squares are free as `every` says and, by
    `some`, one of each kind that turning or reflecting makes equal. `board(h, v, k)` makes a board.
    Returns the searches of recorded trees.
    """
    fault, size = "chose a worse move", (4, 4, 4)
    states = [state for state in oracle().open_states() if len(state.moves) in every]
    others = [state for state in oracle().open_states() if len(state.moves) in some]
    states += oracle().one_of_each(others, chance)
    expect_best_openings(player, chance)
    usual, other = board(lazy=True), board(*size)
    expect_best(player, [(usual, state) for state in states], fault)
    expect_best(player, [(other, state) for state in large], f"{fault} on 4x4", size)
    return expect_best_unseen(player, spread(chance, small(oracle().open_states()), 8), fault)


def expect_tactics(
    player: Proxy, game: Any, chance: random.Random, most: int
) -> list[FinishedSearch]:
    """Expect wins at once, blocks and double threats, with at most so many free squares.

    The player must leave the states as they are. Returns the searches of recorded trees.
    """
    board, searches = oracle(), list[FinishedSearch]()
    for pool, unseen, pictures, fault in [
        (board.win_in_one, small(board.win_in_one), WINS_IN_ONE, "missed a win in one move"),
        (board.block, luring_blocks(), BLOCKS, "let the opponent win"),
        (board.win_in_two, small(board.win_in_two), WINS_IN_TWO, "missed a double threat"),
    ]:
        few = [state for state in pool if len(state.moves) <= most]
        states = [*map(state_from, pictures), *spread(chance, few, 16)]
        expect_best(player, [(game, state) for state in states], fault)
        searches += expect_best_unseen(player, spread(chance, unseen, 6), fault)
        for state in states[:3]:
            _, after_it = call_and_look(player, game, state)
            assert after_it[1] == state, "The search has changed the state that it was given."
    return searches


def expect_some_move_when_lost(
    make: Callable[[], Proxy], game: Any, chance: random.Random
) -> list[FinishedSearch]:
    """Expect a legal move where every move loses, and the best where one loses less.

    Returns the searches of recorded trees.
    """
    secret, five = oracle().secret(losses()), [s for s in losses() if len(s.moves) == 5]
    expect_best(make(), [(game, state) for state in chance.sample(secret, 12)], "broke down")
    unseen = [*map(state_from, LOST), *chance.sample(small(secret), 6)]
    unseen += oracle().one_of_each(five, chance)
    searches = expect_best_unseen(make(), unseen, "broke down")
    a, b, c, d = sorted(chance.sample(range(-99, -9), 4))
    trees = [corridors(values, 1) for values in ([a, b, c, d], [b, c, d, a], [c, d, a, b])]
    for tree in map(Trace, [*trees, NestedTree([[d, 3 * a], [c, b]])]):  # last: a window from 0
        expect_best_in_tree(tree, (), make()(tree, ()))
    return searches


class OneMove(SentBoard):
    """A game on a board that is over after one move, which wins on one square only."""

    def __init__(self, start: GameState, winning: Square) -> None:
        """Begin in `start`, and let this square win."""
        _, rests, *others = tables(*USUAL)
        super().__init__(start, {move: ((),) * (move == winning) for move in rests}, *others)

    def result(self, state: GameState, move: Any) -> GameState:
        """Return the final state after a move."""
        return super().result(state, move)._replace(moves=[])


def expect_best_openings(player: Proxy, chance: random.Random) -> None:
    """Expect a win at once in games of one move: on nine empty boards and after one or two moves.

    One square wins, on the empty boards another one on each. So no list of openings does.
    """
    empty = _GAME.initial
    firsts = [_GAME.result(empty, move) for move in empty.moves]
    openings = [(empty, move) for move in empty.moves]
    seconds = [_GAME.result(state, chance.choice(state.moves)) for state in firsts]
    openings += [(state, chance.choice(state.moves)) for state in (*firsts, *seconds)]
    for start, square in openings:
        game = Trace(OneMove(start, square))
        assert player(game, start) == square, (
            "On a board of another game, with two pieces or fewer, in which one square wins and "
            "any move ends the game, it did not win at once."
        )


def expect_best_on_boards(search: Proxy, game: Proxy, chance: random.Random) -> None:
    """Expect a best move of a function `search(state, game)` in 60 positions of tic-tac-toe.

    In a third of them a win takes two moves, in 8 every move loses. The last three follow others:
    a search that remembers values from those, for the other player, misjudges them.
    """
    states = [state for some, number in _late_boards() for state in chance.sample(some, number)]
    states += [_open_after(state)[0] for state in states[:3]]
    expect_best(search, [(state, game) for state in states], "chose a worse move")


def _open_after(state: GameState) -> list[GameState]:
    """Return the states after a move in which the opponent's moves are not worth the same."""
    after = (_GAME.result(state, move) for move in state.moves)
    return [one for one in after if len({*oracle().values(one).values()}) > 1]


@functools.cache
def _late_boards() -> list[tuple[list[GameState], int]]:
    """Return kinds of boards with two to five free squares, and how many of each are asked."""
    board = oracle()
    few = [state for state in board.open_states() if 2 <= len(state.moves) <= 5]
    pools = [filter(_open_after, few), board.luring(few), board.win_in_two]
    pools += [board.hurried(few, 2), board.hurried(few, 3), losses()]
    late = [[s for s in board.secret(pool) if len(s.moves) <= 5] for pool in pools]
    return list(zip(late, (6, 11, 20, 7, 5, 8), strict=True))


def expect_best_unseen(
    player: Proxy, states: Sequence[GameState], fault: str
) -> list[FinishedSearch]:
    """Expect a best move in states of tic-tac-toe that a search knows only by asking the game.

    They are recorded trees, in which a state is a path: a table of positions is of no use, and the
    states seen must prove the move. `fault` is the message otherwise. Returns the searches.
    """
    searches = []
    for start in states:
        game = board_tree(start=start)
        move = player(game, game.initial)
        assert move in start.moves, "The answer on a board is no legal move."
        assert move in oracle().best_moves(start), (
            f"Where a state is a list of moves, and no board, your player {fault}."
        )
        searches.append(FinishedSearch(game, game.initial, limits=ON_BOARDS))
        expect_proven_move(searches[-1], move)
    return searches
