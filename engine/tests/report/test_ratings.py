"""Ask whether ratings are those of the model, and whether their margins hold what they promise."""

import math
import random
from itertools import combinations

import pytest

from referee.report.ladder import PlayedGame, rated
from referee.report.ratings import POINTS, SURE, ratings


def test_two_players_by_hand() -> None:
    """Is the rating the one whose slope is zero, with one draw against strength 0 for each?

    With strengths s and -s, and 9 of 10 games won: 9 - 10 p = p' - ½, where p belongs to 2 s and p'
    to s.
    """
    first, other = ratings(2, {(0, 1): (9, 10)})
    s = -other.points / POINTS / 2
    assert first.points == 0
    assert 9 - 10 / (1 + math.exp(-2 * s)) == pytest.approx(1 / (1 + math.exp(-s)) - 0.5)
    p, q = 1 / (1 + math.exp(-2 * s)), 1 / (1 + math.exp(-s))
    curve = 4 * 10 * p * (1 - p) + 2 * q * (1 - q)  # of s, when both move apart
    assert first.margin == pytest.approx(SURE * POINTS / math.sqrt(curve))


def test_a_draw_is_half_a_win_and_the_side_does_not_matter() -> None:
    """Do two draws say the same as a win on each side?"""
    drawn = [PlayedGame(("a", "b"), [], 0.5), PlayedGame(("b", "a"), [], 0.5)]
    won = [PlayedGame(("a", "b"), [], 1.0), PlayedGame(("a", "b"), [], 0.0)]
    one, other = rated(["a", "b"], drawn), rated(["a", "b"], won)
    assert [(p.name, p.rating, p.margin) for p in one] == [
        (p.name, p.rating, p.margin) for p in other
    ]
    assert [(p.won, p.drawn, p.lost) for p in one] == [(0, 2, 0)] * 2


def test_who_wins_everything_has_a_rating() -> None:
    """Is it finite, and larger for more games; and is a game that does not count left out?"""
    few, many = (ratings(2, {(0, 1): (0, n)})[1].points for n in (2, 20))
    assert 0 < few < many < 2000
    games = [PlayedGame(("a", "b"), [], None), PlayedGame(("a", "b"), [], 0.0, lost=0)]
    assert [(p.name, p.won, p.lost, p.forfeits) for p in rated(["a", "b"], games)] == [
        ("b", 1, 0, 0), ("a", 0, 1, 1)
    ]  # fmt: skip
    assert ratings(0, {}) == []


def test_margins_hold_the_true_strength_in_95_of_100_cases() -> None:
    """Is it so, in ladders that were drawn by the model, for the difference to the mean?"""
    chance, inside, count = random.Random(3), 0, 0
    for _ in range(60):
        true = [chance.gauss(0, 1) for _ in range(10)]
        games = {
            (i, j): (
                sum(chance.random() < 1 / (1 + math.exp(true[j] - true[i])) for _ in range(6)),
                6,
            )
            for i, j in combinations(range(10), 2)
        }
        found = ratings(10, games)
        mean, middle = sum(true) / 10, sum(one.points for one in found) / 10
        for one, strength in zip(found, true, strict=True):
            count += 1
            inside += abs(one.points - middle - POINTS * (strength - mean)) <= one.margin
    assert 0.93 <= inside / count <= 0.985
