"""Make the sample class in `submitted/` from the bank: `make samples`.

Each student has a file of the bank and, some of them, damage done to the notebook. The marks that
each must get follow from the checks that their mistake must fail; the reason stands beside them.
All have done tic-tac-toe, and some the other assignments (`CLASSES`).
"""

import copy
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from referee import course
from referee.proof import bank

ROOT = Path(__file__).parents[1]
ASSIGNMENT = "tic-tac-toe"


def worth(name: str) -> dict[str, float]:
    """Return the automatically graded cells of an assignment, and their points."""
    notebook = json.loads(course.Course(ROOT).find(name).source.read_text("utf-8"))
    tags = [cell["metadata"].get("nbgrader", {}) for cell in notebook["cells"]]
    marked = [tag for tag in tags if tag.get("grade") and not tag["solution"]]
    return {tag["grade_id"].removeprefix("test_"): tag["points"] for tag in marked}


CELLS, FULL = zip(*worth(ASSIGNMENT).items(), strict=True)


class Student(NamedTuple):
    """What a student hands in, and the marks for the cells that it must get."""

    solution: str
    marks: tuple[float | None, ...]  # None where a human decides
    why: str
    damage: Callable[[dict[str, Any]], str] = json.dumps


def copied_and_tagged(notebook: dict[str, Any]) -> str:
    """Double a solution cell, tag, edit, move and delete test cells, and drop the metadata."""
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    cells["test_TicTacToe"]["metadata"]["tags"] = ["skip-execution"]
    cells["test_MiniMax"]["source"] = "print('all is well')"
    cells["test_MiniMax"]["metadata"]["nbgrader"]["points"] = 100
    cells["playing"]["cell_type"] = "raw"
    order = notebook["cells"]
    order.remove(cells["test_AlphaBeta"])
    order.insert(order.index(cells["AlphaBeta"]), copy.deepcopy(cells["AlphaBeta"]))
    order.append(order.pop(order.index(cells["test_playing"])))
    cells["MiniMax"]["metadata"] = {}
    return json.dumps(notebook)


def tagged(notebook: dict[str, Any]) -> str:
    """Ask for the test cells to be skipped, and for more points than there are."""
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["metadata"]["tags"] = ["skip-execution"]
            cell["metadata"]["nbgrader"]["points"] = 100
    return json.dumps(notebook)


def cut_off(notebook: dict[str, Any]) -> str:
    """Lose the second half of the file."""
    text = json.dumps(notebook)
    return text[: len(text) // 2]


STUDENTS = {
    "ada": Student("right/explicit_loops", FULL, "right, everything spelled out in loops"),
    "blake": Student("wrong/nothing_done", (0, 0, 0, 0, 0), "blank: every method is a stub"),
    "dana": Student("right/explicit_loops", FULL, "right, but damaged", copied_and_tagged),
    "eve": Student(
        "crash/index_error",
        (20, 4, 30, 0, 0),
        "only max_value and min_value work (3 + 1); both tables need a MiniMax that moves",
    ),
    "grace": Student("right/negamax", FULL, "right, negamax, generators and helper cells"),
    "kim": Student(
        "wrong/tables_half_filled", (20, 25, 30, 0, 0), "two pairings of four, five games of ten"
    ),
    "lee": Student(
        "wrong/never_cuts", (20, 25, 10, 3, 7), "right moves but no pruning: a third of 30 points"
    ),
    "lou": Student(
        "loop/waits_for_a_legal_move", (19, 25, 30, 3, 7), "an illegal move never ends: 1 point"
    ),
    "mal": Student(
        "cheat/equal_to_everything",
        (20, 0, 30, 0, 0),
        "nothing of MiniMax is right; what it answers is no move when it is to play again",
        tagged,
    ),
    "max": Student(
        "crash/syntax_error", (20, 25, 0, 0, 0), "without AlphaBeta both tables stay empty"
    ),
    "mel": Student(
        "wrong/three_everywhere",
        (14, 25, 30, 3, 7),
        "other boards fail, 1 each: start, illegal moves, wins, false wins, two games, display",
    ),
    "rex": Student("right/negamax", (0, 0, 0, 0, 0), "half the file is missing", cut_off),
    "sam": Student(
        "wrong/leaf_for_the_side_to_move",
        (20, 2, 30, 3, 7),
        "two games apart and a move where all lose are right (2); the tables tell how it plays",
    ),
    "wren": Student("right/warns", FULL, "right, but noisy on both outputs"),
}


CLASSES = {
    ASSIGNMENT: STUDENTS,
    "game-trees": {
        "ada": Student("right/negamax", (2, 4, 6, 6, 8, 4), "right, with her own tree"),
        "kim": Student(
            "wrong/alpha_beta_never_cuts",
            (2, 4, 6, 6, 1.75, 0),
            "right moves but no pruning: moves on boards, and the player; nothing counted",
        ),
        "lou": Student(
            "wrong/my_tree_of_a_friend", (2, 4, None, 6, 8, 4), "a friend's id: a human decides"
        ),
        "max": Student(
            "wrong/minmax_average_reply", (2, 4, 6, 0, 8, 4), "averages the replies, never right"
        ),
    },
    "break-it": {
        "ada": Student("right/other_trees", (10, 6, 6, 4, 14), "right, with trees of her own"),
        "kim": Student("wrong/trees_two", (10, 6, 6, 4, 6), "35 of 40 mutants: 3 points and 3"),
    },
    "connect-four": {
        "ada": Student("right/negamax", (10, 10, 8, 10, 18, 24, 5, 5), "right, negamax"),
        "grace": Student(
            "wrong/cuts_for_the_opponent_only",
            (10, 10, 8, 10, 18, 19, 5, 5),
            "right moves, but prunes in one branch only (5)",
        ),
        "lee": Student(
            "wrong/segments_row_first",
            (6, 10, 8, 10, 18, 24, 5, 5),
            "squares as (row, column), a slip; what uses them is right",
        ),
        "max": Student(
            "crash/syntax_error",
            (10, 10, 8, 10, 18, 0, 5, 0),
            "without alphabeta no table; what calls it is right",
        ),
    },
}


def handed_in(name: str, student: Student, assignment: course.Assignment) -> str:
    """Return the text of the file that a student of this name hands in."""
    (solution,) = bank.read_all(assignment, [student.solution])
    mine = bank.tables(assignment.of(name), played=True)
    return student.damage(bank.notebook(solution, assignment, mine))


def main(submitted: Path) -> None:
    """Write the whole class into the folder `submitted`."""
    sample = {name for students in CLASSES.values() for name in students}
    if others := sorted({one.name for one in submitted.iterdir()} - sample):
        sys.exit(f"{submitted} has {others[0]}, which is not of the sample class: nothing was done")
    for folder in submitted.iterdir():
        shutil.rmtree(folder)
    for wanted, students in CLASSES.items():
        assignment = course.Course(ROOT).find(wanted)
        for name, student in students.items():
            file = submitted / name / wanted / assignment.notebook
            file.parent.mkdir(parents=True)
            file.write_text(handed_in(name, student, assignment), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
