"""Rate players by their games: Bradley and Terry's model, by maximum likelihood.

A player whose strength is larger by s wins with the probability 1 / (1 + exp(-s)); a draw is half a
win. Each player has one more draw, against somebody of strength 0, so that who has won everything
has a strength, too. Source: Bradley and Terry 1952; Hunter 2004.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

POINTS = 400 / math.log(10)  # of a rating, for a strength of 1: ten to one are 400 points
SURE = 1.96  # standard deviations to each side, of which 95 % of all ratings are no farther
STEPS, SMALL = 100, 1e-9
BOLDEST = 2.0  # how far a strength moves in a step, at most

Pair = tuple[int, int]


class Rating(NamedTuple):
    """A rating in points, and how far it may be off to each side with 95 % probability."""

    points: float
    margin: float


def ratings(count: int, games: Mapping[Pair, tuple[float, float]]) -> list[Rating]:
    """Return the ratings of players 0 to `count` - 1; that of player 0 is 0.

    `games` has for each pair the points of the first one, and the number of games. A margin is that
    of the difference to the mean of all players, by the curvature of the likelihood.
    """
    strengths = [0.0] * count
    for _ in range(STEPS):
        slope, curve = _derivatives(strengths, games)
        inverse = _inverse(curve)
        move = [sum(map(float.__mul__, row, slope)) for row in inverse]
        strengths = [
            s + max(-BOLDEST, min(BOLDEST, d)) for s, d in zip(strengths, move, strict=True)
        ]
        if max(map(abs, move), default=0.0) < SMALL:
            break
    means = [sum(row) / count for row in inverse] if count else []
    whole = sum(means) / max(count, 1)
    return [
        Rating(
            POINTS * (strengths[i] - strengths[0]),
            SURE * POINTS * math.sqrt(max(0.0, inverse[i][i] - 2 * means[i] + whole)),
        )
        for i in range(count)
    ]


def _derivatives(
    strengths: Sequence[float], games: Mapping[Pair, tuple[float, float]]
) -> tuple[list[float], list[list[float]]]:
    """Return the slope of the log-likelihood, and its curvature, turned round."""
    slope = [0.5 - _chance(own) for own in strengths]
    curve = [[0.0] * len(strengths) for _ in strengths]
    for i, own in enumerate(strengths):
        curve[i][i] = _chance(own) * _chance(-own)
    for (i, j), (points, number) in games.items():
        chance = _chance(strengths[i] - strengths[j])
        excess, weight = points - number * chance, number * chance * (1 - chance)
        slope[i] += excess
        slope[j] -= excess
        for one, other in ((i, j), (j, i)):
            curve[one][one] += weight
            curve[one][other] -= weight
    return slope, curve


def _chance(strength: float) -> float:
    return 1 / (1 + math.exp(-strength))


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a matrix whose diagonal outweighs the rest of each row."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i, pivot in enumerate(rows):
        scale = 1 / pivot[i]
        rows[i] = pivot = [scale * value for value in pivot]
        for j, row in enumerate(rows):
            if j != i and (factor := row[i]):
                rows[j] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    return [row[size:] for row in rows]
