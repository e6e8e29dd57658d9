"""Settings of the course; nbgrader and the referee read them here."""

from pathlib import Path

from referee.marks import settings

c = get_config()  # noqa: F821 - given by traitlets

settings.decide(c)
c.CourseDirectory.course_id = "adversarial-search"
c.Course.subject = "adversarial"  # the package that tells the referee what is taught
c.Course.packages = ("numpy>=2",)  # what a grader has to have, as students do
c.CourseDirectory.root = str(Path(__file__).parent.absolute())

# What one notebook may use. Seconds are CPU seconds, which a busy machine does not change;
# wall seconds are for code that only waits, and count while it could compute and does not. A cell,
# and a check that asks for no more, may take three times what it takes in the slowest right
# solution of the bank. So a game that never ends costs two minutes, half of it in checks.
c.Limits.cell_cpu_seconds = 25.0
c.Limits.cell_wall_seconds = 60.0
c.Limits.check_cpu_seconds = 3.0
c.Limits.check_wall_seconds = 30.0
c.Limits.submission_cpu_seconds = 60.0  # all its cells together, and all its checks
c.Limits.check_calls = 100_000
c.Limits.memory_bytes = 2 * 1024**3  # one process
c.Limits.processes = 100
c.Limits.folder_bytes = 64 * 1024**2

# Pages that nobody can click in, feedback and formgrader's, show the drawing of a canvas; a widget
# would be blank there.
c.NbConvertBase.display_data_priority = [
    "image/svg+xml", "image/png", "text/html", "application/vnd.jupyter.widget-view+json",
    "text/markdown", "image/jpeg", "text/latex", "text/plain",
]  # fmt: skip

# Files and folders of this folder that a release gets, besides what lies in source/<assignment>;
# * stands for every assignment that is not named. Boards go to assignments that play on one.
ALL = {"check.py": settings.CHECK, "requirements.txt": "source/requirements.txt"}
HANDED = ("hints.py", "recorded.py")
GAMES = {**ALL, "games.py": "games.py", **{name: f"handout/{name}" for name in HANDED}}
CANVAS = [file.name for file in Path(__file__).with_name("handout").glob("canvas/*.*")]
WATCHED = {
    f"canvas/{name}": f"handout/canvas/{name}" for name in CANVAS if not name.startswith("board")
}
TREES = {**GAMES, **WATCHED, "trees.py": "handout/trees.py"}
SEARCHES = {"first_wrong.py": "handout/first_wrong.py", "searches.py": "source/searches.py"}
PLAYED = {**GAMES, **SEARCHES, "canvas": "handout/canvas", "play.py": "handout/play.py"}
c.IncludeLibrary.files = {
    "game-trees": {**TREES, **SEARCHES}, "break-it": TREES, "tic-tac-toe": PLAYED,
    "connect-four": {**PLAYED, "adapters.py": "handout/adapters.py"}, "*": ALL,
}  # fmt: skip
c.GenerateAssignment.preprocessors = [
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbgrader.preprocessors.LockCells",
    "nbgrader.preprocessors.ClearSolutions",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
    "referee.nbgrader.IncludeLibrary",
]
