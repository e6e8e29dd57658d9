"""Calls of what students write, on small trees and boards, for questions on their own code."""

import random
from itertools import product

SMALL_BOARDS = (2, 3, 2), (3, 3, 3), (2, 4, 3)
TREES = 6  # of each kind


def calls(assignment: str, chance: random.Random) -> list[str]:
    """Return calls, drawn by chance, as expressions in names of the notebook of an assignment."""
    makers = {
        "game-trees": game_trees,
        "tic-tac-toe": tic_tac_toe,
        "connect-four": connect_four,
    }
    return makers[assignment](chance) if assignment in makers else []


def trees(chance: random.Random) -> list[tuple[str, str]]:
    """Return trees and states in them, MAX's and MIN's."""
    found = []
    for branching, plies in (3, 2), (2, 3), (2, 2), (4, 1):
        for _ in range(TREES):
            leaves = chance.sample(range(-9, 10), branching**plies)
            tree = f"TreeGame({leaves}{'' if branching == 3 else f', branching={branching}'})"
            states = ["()"] if plies < 3 else ["()", "(0,)", "(1,)"]
            found += [(tree, state) for state in states]
    return found


def game_trees(chance: random.Random) -> list[str]:
    """Return searches of trees."""
    search = "minmax_decision({1}, {0})", "alpha_beta_search({1}, {0})"
    return [text.format(*tree) for text in search for tree in trees(chance)]


def tic_tac_toe(chance: random.Random) -> list[str]:
    """Return questions to the rules, on boards after some moves, and searches of trees."""
    found = []
    for rows, columns, line in SMALL_BOARDS:
        squares = [*product(range(rows), range(columns))]
        for count in (3, 4, 5):
            moves, first_win = chance.sample(squares, count), 2 * line - 1
            rules = f"TicTacToe({rows}, {columns}, {line})"
            board = {square: "XO"[place % 2] for place, square in enumerate(moves)}
            state = f"after({rules}, {moves[:first_win]})"
            found += [
                f"{rules}.compute_utility({board}, {moves[-1]}, {board[moves[-1]]!r})",
                f"{rules}.actions({state})",
                f"{rules}.terminal_test({state})",
                f"{state}.moves",
            ]
            found += [f"{rules}.utility({state}, 'O')"] * (count >= first_win)
    for tree, state in trees(chance):
        mover = "MAX" if state == "()" else "MIN"
        found += [
            f"MiniMax()({tree}, {state})",
            f"MiniMax({tree}).{mover.lower()}_value({state}, 'MAX')",
            f"AlphaBeta(9)({tree}, {state})",
            f"AlphaBeta(9, {tree}).{mover.lower()}_value({state}, 'MAX', -infinity, infinity, 0)",
        ]
    return found


def connect_four(chance: random.Random) -> list[str]:
    """Return questions on segments and boards, and searches of trees to some depth."""
    found = [
        f"len(generate_segments({columns}, {rows}, {length}))"
        for columns, rows, length in product((2, 3, 4), (2, 3), (2, 3))
    ]
    for count in (3, 4, 5, 6, 7):
        state = f"after(ConnectFour(), {chance.choices(range(7), k=count)})"
        found += [f"top_pieces({state})", f"evaluate({state}, {chance.choice('XO')!r})"]
    found += [f"tree_size({tree}, {state})" for tree, state in trees(chance)]
    for _ in range(TREES):
        leaves = chance.sample(range(-9, 10), 9)
        tree = chance.choice(["TreeGame([0] * 27), ()", "TreeGame([0] * 81), (1,)"])
        estimate = f"lambda state, player: {leaves}[3 * state[-2] + state[-1]]"
        found += [f"{search}({tree}, 2, {estimate})" for search in ("minimax", "alphabeta")]
    return found
