"""Make a course one that stock nbgrader grades: no referee in its settings, asserts in its tests.

Imported by the benchmarks that set the two side by side.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONFIG = """
c = get_config()
c.CourseDirectory.course_id = "stock"
c.ClearSolutions.enforce_metadata = False
"""
# Hidden tests of tic-tac-toe, by the cell that they are about.
TESTS = {
    "TicTacToe": """
game = TicTacToe(2, 5, 3)
assert list(game.actions(game.initial)) == [(r, c) for r in range(2) for c in range(5)]
assert game.initial.to_move == "X"
won = after(TicTacToe(), [(0, 0), (1, 1), (0, 1), (2, 2), (0, 2)])
assert TicTacToe().utility(won, "O") == -1
assert TicTacToe().terminal_test(won)
""",
    "MiniMax": """
assert MiniMax()(Fig52Game(), "A") == "a1"
assert MiniMax()(Fig52Game(), "D") == "d3"
assert MiniMax(Fig52Game()).max_value("A", "MAX") == 3
assert MiniMax()(TreeGame([5, 1, 7, 3], 2), ()) == 1
assert MiniMax()(TicTacToe(), state_from("X O X / X . O / . . O")) in [(1, 1), (2, 0)]
""",
    "AlphaBeta": """
assert AlphaBeta()(Fig52Game(), "A") == "a1"
assert AlphaBeta()(Fig52Game(), "D") == "d3"
assert AlphaBeta(9, Fig52Game()).max_value("A", "MAX", -infinity, infinity, 0) == 3
assert AlphaBeta()(TreeGame([5, 1, 7, 3], 2), ()) == 1
assert AlphaBeta(9)(TicTacToe(), state_from("X O X / X . O / . . O")) in [(1, 1), (2, 0)]
""",
    "playing": """
assert set(results) >= {("random", "AlphaBeta"), ("MiniMax", "AlphaBeta")}
assert all(results[pair] in (-1, 0, 1) for pair in results)
assert results["MiniMax", "AlphaBeta"] >= 0
""",
    "evaluation_a": """
for name in ("MiniMax", "AlphaBeta"):
    assert len(terminal_states[name]) == 10 and len(time_taken[name]) == 10
    assert all(value in (-1, 0, 1) for value in terminal_states[name])
    assert sum(time_taken[name]) > 1e-4
""",
}


def convert(root: Path, name: str, tests: Mapping[str, str]) -> None:
    """Change an assignment's source and the course's settings; `tests` go into the test cells."""
    (root / "nbgrader_config.py").write_text(CONFIG)
    shutil.copy(ROOT / "games.py", root / "source" / name)
    (root / "source" / name / "check.py").write_text("def check(name): pass\n")
    file = root / "source" / name / f"{name}.ipynb"
    notebook = json.loads(file.read_text("utf-8"))
    for cell in notebook["cells"]:
        about = cell["metadata"].get("nbgrader", {}).get("grade_id", "").removeprefix("test_")
        if cell["metadata"].get("nbgrader", {}).get("grade") and about in tests:
            cell["source"] = f"### BEGIN HIDDEN TESTS{tests[about]}### END HIDDEN TESTS"
    file.write_text(json.dumps(notebook), "utf-8")
