"""Set the Connect Four solver beside bitbully, OpenSpiel and easyAI, in one run on one machine.

    pip install bitbully open_spiel cvxpy easyAI
    python docs/benchmarks/connect_four.py [--positions 40]

Prints CPU seconds for a set of seeded positions of the 7x6 board, and ratios to ours. The first
tables are of exact solving: all columns of each position, their values (win, draw, loss) and their
scores (how fast), from an empty table. bitbully, in C++, gives scores only. The others search one
tree: alpha-beta to a fixed depth, columns from left to right, 0 where the depth ends. Ours is plain
alpha-beta over the solver's bit sets and must have as many leaves there as OpenSpiel's. For easyAI
an earlier win is a better one, so its tree is not quite the same.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from adversarial.solvers.connect_four import Solver
from adversarial.solvers.four_search import BitboardSearch, _completing
from games import ConnectFour, after

Moves = list[int]
INFINITY = 9
PLIES = (16, 18, 20, 24)
DEPTH = 7


# --- exact solving -----------------------------------------------------------------------------


def careful(plies: int, chance: random.Random) -> Moves:
    """Return moves to a position in which nobody has won or can win at once.

    Both block where they must and play at random elsewhere; careless play would leave positions
    that are decided at a glance.
    """
    search = BitboardSearch(6, 7, 4)
    while True:
        own, other, moves = 0, 0, Moves()
        while len(moves) < plies and not search.threats(own, other):
            legal = search.moves(own, other)
            forced = search.threats(other, own)
            column, move = chance.choice([m for m in legal if m[1] & forced] or legal)
            own, other = other, own | move
            moves.append(column)
        if len(moves) == plies and not search.threats(own, other):
            return moves


def our_values(moves: Moves) -> Callable[[], dict[int, int]]:
    """Make ready to tell who wins with each column."""
    solver, state = Solver(), after(ConnectFour(), moves)
    return lambda: solver.values(state)


def our_scores(moves: Moves) -> Callable[[], dict[int, int]]:
    """Make ready to score each column."""
    solver, state = Solver(), after(ConnectFour(), moves)
    return lambda: solver.scores(state)


def bitbully_scores() -> Callable[[Moves], Callable[[], dict[int, int]]]:
    """Return a function that makes bitbully, without its opening book, ready for a position."""
    import bitbully

    solver = bitbully.BitBully(opening_book=None)

    def ready(moves: Moves) -> Callable[[], dict[int, int]]:
        solver.reset_transposition_table()
        board = bitbully.Board(moves)
        return lambda: solver.score_all_moves(board)

    return ready


# --- the same tree -----------------------------------------------------------------------------


class Plain:
    """Alpha-beta over bit sets and win cells, in the given order and without a table."""

    def __init__(self) -> None:
        """Start to count the leaves that are not the end of a game."""
        self.search = BitboardSearch(6, 7, 4)
        self.leaves = 0

    def value(
        self,
        own: int,
        other: int,
        own_wins: int,
        other_wins: int,
        depth: int,
        alpha: int,
        beta: int,
    ) -> int:
        """Return the value of a position for the player to move, at least one ply deep."""
        search = self.search
        playable = search.playable(own, other)
        if not playable:
            return 0
        for column in search.columns:
            if move := playable & column:
                value = 0
                if move & own_wins:
                    value = 1
                elif depth == 1:
                    self.leaves += 1
                else:
                    wins = own_wins  # which nobody looks at before two plies later
                    if depth > 2:
                        wins |= _completing(search._through[move], own | move)
                    value = -self.value(
                        other, own | move, other_wins, wins, depth - 1, -beta, -alpha
                    )
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        break
        return alpha


def our_tree(moves: Moves, depth: int) -> tuple[Callable[[], float], Callable[[], int]]:
    """Make ready to search a position; the second function counts the leaves."""
    plain = Plain()
    own = other = 0
    for column in moves:
        own, other = other, own | plain.search.playable(own, other) & plain.search.columns[column]
    wins = plain.search.wins(own), plain.search.wins(other)
    return (
        lambda: plain.value(own, other, *wins, depth, -INFINITY, INFINITY),
        lambda: plain.leaves,
    )


def open_spiel_tree(moves: Moves, depth: int) -> tuple[Callable[[], float], Callable[[], int]]:
    """Make ready to search the same tree by OpenSpiel's alpha-beta in Python."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    for column in moves:
        state.apply_action(column)
    leaves = [0]

    def leaf(_: Any) -> int:
        leaves[0] += 1
        return 0

    def value() -> float:
        return float(minimax.alpha_beta_search(game, state, leaf, depth)[0])

    return value, lambda: leaves[0]


def easy_ai_tree(moves: Moves, depth: int) -> tuple[Callable[[], float], Callable[[], int]]:
    """Make ready to search a position by easyAI's negamax, on a board of lists."""
    from easyAI import AI_Player, Negamax, TwoPlayerGame

    lines = [
        [(r + i * u, c + i * d) for i in range(4)]
        for r in range(6)
        for c in range(7)
        for u, d in ((0, 1), (1, 0), (1, 1), (-1, 1))
        if 0 <= r + 3 * u < 6 and c + 3 * d < 7
    ]

    class Board(TwoPlayerGame):
        def __init__(self) -> None:
            self.players = [AI_Player(None), AI_Player(None)]
            self.current_player = 1
            self.squares = [[0] * 7 for _ in range(6)]
            self.heights = [0] * 7
            self.leaves = 0

        def possible_moves(self) -> list[int]:
            return [c for c in range(7) if self.heights[c] < 6]

        def make_move(self, column: int) -> None:
            self.squares[self.heights[column]][column] = self.current_player
            self.heights[column] += 1

        def unmake_move(self, column: int) -> None:
            self.heights[column] -= 1
            self.squares[self.heights[column]][column] = 0

        def lose(self) -> bool:
            other = 3 - self.current_player
            return any(all(self.squares[r][c] == other for r, c in line) for line in lines)

        def is_over(self) -> bool:
            return self.lose() or not self.possible_moves()

        def scoring(self) -> int:
            if self.lose():
                return -1
            self.leaves += 1
            return 0

    board = Board()
    for column in moves:
        board.make_move(column)
        board.switch_player()
    player = Negamax(depth, win_score=INFINITY)

    def value() -> float:
        player(board)
        return round(player.alpha)

    return value, lambda: board.leaves


# --- measuring ---------------------------------------------------------------------------------


def cpu_seconds(task: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU time of a run, in seconds, and the result."""
    start = time.process_time()
    result = task()
    return time.process_time() - start, result


def sign(scores: dict[int, int]) -> dict[int, int]:
    """Return +1, 0 or -1 for each column."""
    return {column: (score > 0) - (score < 0) for column, score in scores.items()}


def row(name: str, times: Sequence[float], base: Sequence[float]) -> str:
    """Return a line of a table: CPU milliseconds, and the ratio of the sums."""
    mean, median, worst = statistics.mean(times), statistics.median(times), max(times)
    ratio = sum(times) / sum(base)
    return f"  {name:18} {mean:9.5f} {median:9.5f} {worst:9.5f}  x {ratio:8.2f}"


def solving(plies: int, count: int) -> str:
    """Return the table of exact solving at a ply; AssertionError if two solvers differ."""
    chance = random.Random(plies)
    positions = [careful(plies, chance) for _ in range(count)]
    ready = {"bitbully, scores": bitbully_scores(), "our scores": our_scores}
    found = {
        name: [cpu_seconds(make(moves)) for moves in positions]
        for name, make in [*ready.items(), ("our values", our_values)]
    }
    answers = {name: [answer for _, answer in runs] for name, runs in found.items()}
    assert answers["our scores"] == answers["bitbully, scores"]
    assert answers["our values"] == [sign(scores) for scores in answers["our scores"]]
    times = {name: [seconds for seconds, _ in runs] for name, runs in found.items()}
    base = times["bitbully, scores"]
    lines = [row(name, one, base) for name, one in times.items()]
    return "\n".join([f"all columns of {count} positions at ply {plies}", *lines])


def same_tree(count: int, depth: int) -> str:
    """Return the table of searching to a fixed depth; AssertionError if two searches differ."""
    chance = random.Random(depth)
    positions = [careful(chance.randint(4, 12), chance) for _ in range(count)]
    ours: list[float] = []
    lines, values, leaves = [], [], []
    for make in (our_tree, open_spiel_tree, easy_ai_tree):
        ready = [make(moves, depth) for moves in positions]
        runs = [cpu_seconds(value) for value, _ in ready]
        times = [seconds for seconds, _ in runs]
        ours = ours or times
        values.append([value for _, value in runs])
        leaves.append(sum(counted() for _, counted in ready))
        lines.append(f"{row(make.__name__, times, ours)}, {leaves[-1]:,} leaves")
    assert values[0] == values[1] == values[2] and leaves[0] == leaves[1]
    title = f"alpha-beta to depth {depth}, {count} positions"
    return "\n".join([title, *lines])


def main() -> None:
    """Run everything and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=40)
    count = parser.parse_args().positions
    print(f"{'CPU seconds':20} {'mean':>9} {'median':>9} {'worst':>9}     ratio of sums")
    for plies in PLIES:
        print(solving(plies, count))
    print(same_tree(max(count // 4, 1), DEPTH))


if __name__ == "__main__":
    main()
