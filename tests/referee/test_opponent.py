"""Ask whether the computer is as strong at each level as it says, and no stronger."""

import random
from itertools import pairwise

import bitbully
import pytest

from games import ConnectFour, GameState, after, random_player, state_from
from referee import opponent
from referee.opponent import Opponent, Rules

BOTH = {"tic-tac-toe": opponent.tic_tac_toe, "connect-four": opponent.connect_four}


def computer(rules: Rules, level: int, seed: int = 0) -> Opponent:
    return Opponent(rules, level, random.Random(seed))


def play(rules: Rules, first: Opponent, second: Opponent, opening: GameState) -> float:
    """Return the utility for X of a game from `opening`, in which X is to move."""
    players = [lambda game, state, one=one: one.choose(state).move for one in (first, second)]
    return rules.game.play_game(*players, initial=opening)


def forced_win(game: ConnectFour, state: GameState, plies: int) -> bool:
    """Return whether the player to move can win within `plies`, by trying everything."""
    for move in game.actions(state):
        child = game.result(state, move)
        if game.utility(child, state.to_move) > 0:
            return True
        if (
            plies > 2
            and child.moves
            and all(forced_win(game, game.result(child, reply), plies - 2) for reply in child.moves)
        ):
            return True
    return False


@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_from_level_2_on_it_wins_in_one_and_blocks(level: int) -> None:
    """Does it take the only good move in the positions of the assignment?"""
    choose = computer(opponent.tic_tac_toe(), level).choose
    assert choose(state_from("X O X / X . O / . . O")).move == (2, 0)
    assert choose(state_from("X . . / . . O / . X O")).move == (0, 2)
    rules = opponent.connect_four()
    choose = computer(rules, level).choose
    assert choose(after(rules.game, [0, 6, 0, 6, 0, 5])).move == 0
    assert choose(after(rules.game, [0, 6, 0, 6, 0])).move == 0


def test_level_5_never_loses_at_tic_tac_toe() -> None:
    """Is there no way to beat it, whatever the human does and whoever begins?"""
    rules = opponent.tic_tac_toe()
    machine, seen, losses = computer(rules, 5), 0, []
    todo = [(rules.game.initial, human) for human in "XO"]
    while todo:
        state, human = todo.pop()
        if rules.game.terminal_test(state):
            seen += 1
            losses += [state] if rules.game.utility(state, human) > 0 else []
        elif state.to_move == human:
            todo += [(rules.game.result(state, move), human) for move in rules.game.actions(state)]
        else:
            todo.append((rules.game.result(state, machine.choose(state).move), human))
    assert losses == [] and seen > 200


def test_level_5_takes_the_quickest_win() -> None:
    """Does it finish a game that is won in one, where other moves would win later?"""
    state = state_from("X X . / O O . / X . O")
    assert computer(opponent.tic_tac_toe(), 5).choose(state).move == (0, 2)


@pytest.mark.parametrize(("level", "plies"), [(3, 1), (4, 3)])
def test_it_sees_every_win_as_far_as_it_looks(level: int, plies: int) -> None:
    """Does its pruned search find a forced win whenever trying everything finds one?"""
    rules, found = opponent.connect_four(), 0
    game, machine = rules.game, computer(opponent.connect_four(), level)
    assert isinstance(game, ConnectFour)
    for seed in range(150):
        chance, state = random.Random(seed), game.initial
        for _ in range(12 + seed % 2):
            if state.moves:
                state = game.result(state, random_player(game, state, chance))
        if state.moves and forced_win(game, state, plies):
            found += 1
            child = game.result(state, machine.choose(state).move)
            replies = [game.result(child, reply) for reply in child.moves]
            assert not replies or all(forced_win(game, reply, plies - 2) for reply in replies)
    assert found > 30


@pytest.mark.parametrize("name", BOTH)
def test_each_level_beats_the_one_below(name: str) -> None:
    """Is a higher number a stronger player, over games from many openings?"""
    rules = BOTH[name]()
    for low, high in pairwise(range(1, 5)):
        points = 0.0
        for seed in range(12):
            chance = random.Random(seed)
            opening = after(rules.game, chance.sample(list(rules.game.initial.moves), 2))
            weak, strong = computer(rules, low, seed), computer(rules, high, seed + 100)
            points += play(rules, strong, weak, opening) - play(rules, weak, strong, opening)
        assert points > 0 or (name == "tic-tac-toe" and low == 3 and points == 0), (low, points)


@pytest.mark.parametrize("level", range(1, 6))
def test_a_seed_replays_its_moves(level: int) -> None:
    """Does the computer play the same game again with the same seed?"""
    rules = opponent.tic_tac_toe()
    games = [play(rules, *[computer(rules, level, 7)] * 2, rules.game.initial) for _ in "ab"]
    choices = [[computer(rules, level, s).choose(rules.game.initial) for s in (1, 2)] for _ in "ab"]
    assert games[0] == games[1] and choices[0] == choices[1]


def test_it_claims_exact_values_only_where_it_has_them() -> None:
    """Does level 5 say that it looks some plies ahead while a board is too empty to solve?"""
    rules = opponent.connect_four()
    choice = computer(rules, 5).choose(after(rules.game, [3, 3]))
    assert choice.how == f"after looking {opponent.DEEP} plies ahead"
    empty = opponent.tic_tac_toe().game.initial
    assert computer(opponent.tic_tac_toe(), 5).choose(empty).how == "by exact values"


def test_level_5_is_perfect_at_connect_four_from_16_pieces_on() -> None:
    """Does it play a column that another program, bitbully, finds best, and say so?"""
    rules = opponent.connect_four()
    machine, asked, game = computer(rules, 5), 0, rules.game
    for seed in range(25):
        chance, moves = random.Random(seed), []
        state = game.initial
        while len(moves) < opponent.EXACT_FROM + seed % 8 and state.moves:
            moves.append(chance.choice(state.moves))
            state = game.result(state, moves[-1])
        if not state.moves:
            continue
        scores = bitbully.BitBully().score_all_moves(bitbully.Board(moves))
        asked += 1
        choice = machine.choose(state)
        assert choice.how == "by exact values"
        best, chosen = max(scores.values()), scores[choice.move]
        assert (best > 0, best < 0) == (chosen > 0, chosen < 0)
    assert asked > 10


@pytest.mark.parametrize("level", [0, 6])
def test_there_is_no_other_level(level: int) -> None:
    """Is a level refused that does not exist?"""
    with pytest.raises(ValueError, match="choose one from 1 to 5"):
        computer(opponent.tic_tac_toe(), level)
