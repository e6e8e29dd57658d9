"""The course's `Subject` for the engine: its library, its types, how to explain a failure."""

from typing import Any

from adversarial.calls import calls
from adversarial.diagnosis.explain import explain
from games import GameState
from referee.model import Remote, Subject


def refusal(name: str, args: list[Any], settings: dict[str, Any], call: tuple[Any, ...]) -> str:
    """Return what an estimate or another function of a check was asked, and cannot answer.

    A state of a tree is a path; how deep it is counts from the one that the call was about.
    """
    state = args[0] if args else None
    about = "what is no state"
    if isinstance(state, GameState):
        about = f"a board with {len(state.board)} pieces"
    elif type(state) is tuple:
        roots = [one for one in call if type(one) is tuple and one == state[: len(one)]]
        plies = len(state) - max(map(len, roots), default=0)
        about = f"a state {plies} {'ply' if plies == 1 else 'plies'} deep"
    limits = [f"d={settings[key]}" for key in settings if key == "d"]
    limits += [f"depth {one}" for one in call if type(one) is int]
    who = f"`{name}`" if name else "The estimate that it was given"
    return f"{who} was asked about {about}{', with '.join(['', *limits[:1]])}."


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
    refusal=refusal,
    calls=calls,
)
