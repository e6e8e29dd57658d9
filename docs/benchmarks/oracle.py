"""Set the oracle beside the solvers of OpenSpiel and easyAI, in one run on one machine.

    pip install open_spiel cvxpy easyAI
    python docs/benchmarks/oracle.py

Prints CPU seconds, the best of three runs, and ratios. The task of the first table is the whole
3x3 game: the value of all 5,478 positions. OpenSpiel's value iteration is its solver in Python;
easyAI has none for a table, so it is asked for the value of the empty board only.
"""

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from adversarial.solvers.tictactoe import Oracle

REPEATS = 3


def ours_table() -> int:
    """Solve all positions of the 3x3 board; add up their values for X."""
    return sum(
        solved.value if own.bit_count() == other.bit_count() else -solved.value
        for (own, other), solved in Oracle(3, 3, 3).table.items()
    )


def ours_value() -> int:
    """Solve the empty 3x3 board alone."""
    return Oracle(3, 3, 3)._value(0, 0)


def ours_large() -> int:
    """Solve the empty 4x4 board, four in a row."""
    return Oracle(4, 4, 4)._value(0, 0)


def open_spiel_table() -> float:
    """Solve all positions of the 3x3 board by OpenSpiel's value iteration; add them up."""
    import pyspiel
    from open_spiel.python.algorithms import value_iteration

    game = pyspiel.load_game("tic_tac_toe")
    return sum(value_iteration.value_iteration(game, depth_limit=-1, threshold=0.01).values())


def open_spiel_value() -> float:
    """Solve the empty 3x3 board by OpenSpiel's alpha-beta in Python."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    return float(minimax.alpha_beta_search(pyspiel.load_game("tic_tac_toe"))[0])


def easy_ai_value() -> int:
    """Solve the empty 3x3 board by easyAI's depth-first solver."""
    from easyAI import TwoPlayerGame
    from easyAI.AI import solve_with_depth_first_search

    lines = [{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 4, 7}, {2, 5, 8}, {3, 6, 9}, {1, 5, 9}, {3, 5, 7}]

    class Board(TwoPlayerGame):
        def __init__(self) -> None:
            self.players: list[Any] = [None, None]
            self.current_player = 1
            self.taken: list[set[int]] = [set(), set()]

        def possible_moves(self) -> list[int]:
            return [i for i in range(1, 10) if i not in self.taken[0] | self.taken[1]]

        def make_move(self, move: int) -> None:
            self.taken[self.current_player - 1].add(move)

        def unmake_move(self, move: int) -> None:
            self.taken[self.current_player - 1].discard(move)

        def lose(self) -> bool:
            return any(line <= self.taken[2 - self.current_player] for line in lines)

        def is_over(self) -> bool:
            return self.lose() or not self.possible_moves()

        def scoring(self) -> int:
            return -100 if self.lose() else 0

    return int(solve_with_depth_first_search(Board(), win_score=90))


def cpu_seconds(task: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least CPU time of a few runs, in seconds, and the result."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        result = task()
        times.append(time.process_time() - start)
    return min(times), result


def main() -> None:
    """Run everything and print the table."""
    groups = {
        "all 5,478 positions of 3x3": [ours_table, open_spiel_table],
        "the empty 3x3 board": [ours_value, open_spiel_value, easy_ai_value],
        "the empty 4x4 board, k = 4": [ours_large],
    }
    for title, tasks in groups.items():
        print(title)
        base = None
        for task in tasks:
            seconds, result = cpu_seconds(task)
            base = base or seconds
            print(
                f"  {task.__name__:18} {seconds:9.4f} s  x {seconds / base:8.1f}  result {result}"
            )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of this process, libraries included: {peak:.0f} MB")


if __name__ == "__main__":
    main()
