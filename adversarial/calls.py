"""Calls of what students write, on small trees and boards, for questions on their own code."""

import random
from collections.abc import Iterator
from itertools import product

SMALL_BOARDS = (2, 3, 2), (3, 3, 3), (2, 4, 3)
TREES = 6  # of each kind
SEARCHES = {  # of a tree, a state in it, and whose move it is
    "game-trees": ("minmax_decision({1}, {0})", "alpha_beta_search({1}, {0})"),
    "tic-tac-toe": (
        "MiniMax()({0}, {1})",
        "MiniMax({0}).{2}_value({1}, 'MAX')",
        "AlphaBeta(9)({0}, {1})",
        "AlphaBeta(9, {0}).{2}_value({1}, 'MAX', -infinity, infinity, 0)",
    ),
    "connect-four": ("tree_size({0}, {1})",),
}


def calls(assignment: str, chance: random.Random) -> list[str]:
    """Return calls, drawn by chance, as expressions in names of the notebook of an assignment."""
    expressions = list[str]()
    for search in SEARCHES.get(assignment, ()):
        for branching, plies in ((2, 2), (2, 3), (3, 2)) * TREES:
            leaves = chance.sample(range(-9, 10), branching**plies)
            tree = f"TreeGame({leaves}, branching={branching})"
            expressions.append(search.format(tree, "()", "max"))
            if plies == 3:
                expressions.append(search.format(tree, f"({chance.randrange(2)},)", "min"))
    if assignment == "tic-tac-toe":
        expressions += rules(chance)
    elif assignment == "connect-four":
        expressions += segments_and_boards(chance)
    return expressions


def rules(chance: random.Random) -> Iterator[str]:
    """Yield questions to the rules of tic-tac-toe, on boards after some moves."""
    for (rows, columns, line), count in product(SMALL_BOARDS, (3, 4, 5)):
        squares = [*product(range(rows), range(columns))]
        moves, first_win = chance.sample(squares, count), 2 * line - 1
        game = f"TicTacToe({rows}, {columns}, {line})"
        board = {square: "XO"[place % 2] for place, square in enumerate(moves)}
        state = f"after({game}, {moves[:first_win]})"
        yield f"{game}.compute_utility({board}, {moves[-1]}, {board[moves[-1]]!r})"
        yield from (f"{game}.{name}({state})" for name in ("actions", "terminal_test"))
        yield f"{state}.moves"
        if count >= first_win:
            yield f"{game}.utility({state}, 'O')"


def segments_and_boards(chance: random.Random) -> Iterator[str]:
    """Yield questions on segments and boards of Connect Four, and searches to some depth."""
    for columns, rows, length in product((2, 3, 4), (2, 3), (2, 3)):
        yield f"len(generate_segments({columns}, {rows}, {length}))"
    for count in (3, 4, 5, 6, 7):
        state = f"after(ConnectFour(), {chance.choices(range(7), k=count)})"
        yield f"top_pieces({state})"
        yield f"evaluate({state}, {chance.choice('XO')!r})"
    for search in ("minimax", "alphabeta") * TREES:
        tree = chance.choice(["TreeGame([0] * 27), ()", "TreeGame([0] * 81), (1,)"])
        leaves = chance.sample(range(-9, 10), 9)
        yield f"{search}({tree}, 2, lambda state, player: {leaves}[3 * state[-2] + state[-1]])"
