"""Play a game in the console; `python play.py --help` lists games and opponents.

    python play.py                                    # Connect Four against chance
    python play.py tic-tac-toe MiniMax                # against a player of the notebook here
    play(ConnectFour(), human_player, random_player)  # the same in a notebook

Here are no rules and no players: those are in `games`, or in your notebook.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from games import Chooser, ConnectFour, Game, Move, State, human_player, random_player, turns

__all__ = ["play"]

UNFINISHED = "The game ends here, unfinished. Goodbye!"


def play(game: Game, *players: Chooser) -> None:
    """Play a game in the console: tell every move and, in the end, how it went.

    Take part as `human_player`: play(ConnectFour(), human_player, random_player). The end of the
    input (Ctrl-D) or Ctrl-C ends the game early.
    """
    if not players:
        raise ValueError("a game needs players: play(game, first_player, second_player)")
    state, first = game.initial, game.to_move(game.initial)
    try:
        for move, by, state in turns(game, players, game.initial):  # noqa: B007 - used below
            print(f"{move!r} {by}\n", flush=True)
    except (EOFError, KeyboardInterrupt):
        print(f"\n{UNFINISHED}")
        return
    game.display(state)
    value = game.utility(state, first)
    said: dict[float, str] = {1: f"{first} has won", 0: "a draw", -1: f"{first} has lost"}
    print(f"The game is over: {said.get(value, f'{value} for {first}')}.")


def main(arguments: Sequence[str] | None = None) -> None:
    """Play in the console against a player that is given, or that the notebook here defines."""
    parser = argparse.ArgumentParser(prog="play.py", description="Play a game in the console.")
    parser.add_argument(
        "game",
        nargs="?",
        default="connect-four",
        choices=["connect-four", "tic-tac-toe"],
        help="which game (default: connect-four); the rules of tic-tac-toe are your notebook's",
    )
    parser.add_argument(
        "opponent",
        nargs="?",
        default="random",
        help="random (the default), human, or a player that the notebook in this folder defines, "
        "such as MiniMax, AlphaBeta or find_best_move",
    )
    parser.add_argument("--second", action="store_true", help="let the opponent begin")
    parser.add_argument(
        "--depth", type=int, default=4, help="how far AlphaBeta or find_best_move looks (default 4)"
    )
    wishes = parser.parse_args(arguments)
    try:
        game, opponent = _set_up(wishes.game, wishes.opponent, wishes.depth)
    except (ValueError, ImportError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print(f"\n{UNFINISHED}")
        return
    play(game, *([opponent, human_player] if wishes.second else [human_player, opponent]))


def _set_up(game: str, opponent: str, depth: int) -> tuple[Game, Chooser]:
    """Return the game and the opponent; ValueError or ImportError if the notebook lacks them."""
    given: dict[str, Chooser] = {"random": random_player, "human": human_player}
    rules = ["TicTacToe"] if game == "tic-tac-toe" else []
    names = _from_notebook([*rules, *({opponent} - set(given))])
    board = names["TicTacToe"]() if rules else ConnectFour()
    return board, given.get(opponent) or _as_player(opponent, names[opponent], depth)


def _from_notebook(wanted: Sequence[str]) -> Mapping[str, Any]:
    """Run the notebook in this folder if a name of it is needed; return its names."""
    if not wanted:
        return {}
    from check import load, only_notebook  # which needs pytest, and a game against chance does not

    notebook = only_notebook(Path.cwd())
    print(f"Running {notebook.name} ...", flush=True)
    names = load(notebook)
    for name in wanted:
        if name not in names.values:
            failed = [f"\nits cell {cell} stopped: {why}" for cell, why in names.stopped.items()]
            raise ValueError(f"{notebook.name} does not define {name}{''.join(failed)}")
    found: Mapping[str, Any] = names.values
    return found


def _as_player(name: str, made: Any, depth: int) -> Chooser:
    """Return a notebook's class or function as a player: an object of the class, or itself."""
    if isinstance(made, type):
        return made(depth) if name == "AlphaBeta" else made()  # type: ignore[no-any-return]
    if name != "find_best_move":
        return made  # type: ignore[no-any-return]

    def find_best_move(game: Game, state: State) -> Move:
        return made(game, state, depth)

    return find_best_move


if __name__ == "__main__":
    main()
