"""The course's `Subject` for the engine: its library, its types, how to explain a failure."""

from adversarial.diagnosis.explain import explain
from referee.model import Remote, Subject

SUBJECT = Subject(
    library=("games.py",),
    records=("games:GameState",),
    remotes=(
        Remote(
            "games:Game",
            ("actions", "result", "utility", "terminal_test", "to_move"),
            ("initial",),
            sources=("initial", "result"),
            facts=("actions", "terminal_test", "to_move"),
        ),
    ),
    explain=explain,
)
