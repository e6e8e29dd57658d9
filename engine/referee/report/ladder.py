"""The result of a ladder, and a page with all its games that loads nothing and sends nothing."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from markupsafe import Markup

from referee.report.page import templates
from referee.report.ratings import ratings

TEMPLATE = "ladder.html"


class PlayedGame(msgspec.Struct):
    """A game: who moved first and second, the moves, and the points of the first, 1, ½ or 0.

    The `score` is None if the game does not count. Who has `lost`, 0 or 1, other than on the board
    has a reason, `why`, and what its code `said`; `odd` if the machine may have done it.
    """

    players: tuple[str, str]
    moves: list[Any]
    score: float | None = None
    lost: int | None = None
    why: str = ""
    said: str = ""
    odd: bool = False
    replay: str = ""


class RatedPlayer(msgspec.Struct):
    """A player of the ladder: `rating` and `margin` in points, and how its games ended.

    `forfeits` are those that it lost otherwise than on the board.
    """

    name: str
    rating: float
    margin: float
    won: int = 0
    drawn: int = 0
    lost: int = 0
    forfeits: int = 0


class LadderResult(msgspec.Struct, dict=True):
    """A ladder: its players, the best first, and who is not on it; the fields are its JSON.

    `counted` are the games that were played, `uncounted` those that could not be, by fault of the
    machine.
    """

    assignment: str
    counted: int
    uncounted: int
    players: list[RatedPlayer]
    without: dict[str, str]


def rated(names: Sequence[str], games: Iterable[PlayedGame]) -> list[RatedPlayer]:
    """Return all players, the best first; the first name has the rating 0."""
    number = {name: place for place, name in enumerate(names)}
    found = {name: RatedPlayer(name, 0, 0) for name in names}
    sums: dict[tuple[int, int], tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    for game in games:
        if game.score is None:
            continue
        pair = number[game.players[0]], number[game.players[1]]
        points, count = sums[pair]
        sums[pair] = points + game.score, count + 1
        for name, points in zip(game.players, (game.score, 1 - game.score), strict=True):
            found[name].won += points == 1
            found[name].drawn += points == 0.5
            found[name].lost += points == 0
        if game.lost is not None:
            found[game.players[game.lost]].forfeits += 1
    for name, rating in zip(names, ratings(len(names), sums), strict=True):
        found[name].rating, found[name].margin = map(round, rating)
    return sorted(found.values(), key=lambda one: (-one.rating, one.name))


def page(
    result: LadderResult,
    games: Sequence[PlayedGame],
    called: dict[str, str],
    stepper: str,
    named: bool,
) -> str:
    """Return the page of a ladder; `called` has the name to show for each player.

    `stepper` is the script that steps through a game. What code said is shown beside real names.
    """
    place = {one.name: number for number, one in enumerate(result.players)}
    rows = [
        [
            *(place[name] for name in game.players), game.score, game.lost, game.why,
            game.said if named else "", game.replay,
        ]
        for game in games
    ]  # fmt: skip
    shown = {"names": [called[one.name] for one in result.players], "played": rows}
    data = json.dumps(shown, separators=(",", ":")).replace("<", "\\u003c")
    content = {"result": result, "called": called, "data": Markup(data)}
    content |= {"stepper": Markup(stepper), "anchor": next(iter(called.values()))}
    return templates().get_template(TEMPLATE).render(content) + "\n"
