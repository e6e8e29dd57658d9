"""Play a game in the console; `python play.py --help` lists games and opponents.

    python play.py                         # Connect Four against chance
    python play.py tic-tac-toe MiniMax     # against a player of the notebook here
    python play.py figure-5.2 human        # two people, in the tree of figure 5.2

Here are no rules and no players: those are in `games`, or in your notebook.
"""

import argparse
import functools
from pathlib import Path

import games

GAMES = {"connect-four": "ConnectFour", "figure-5.2": "Fig52Game", "tic-tac-toe": "TicTacToe"}


def main() -> None:
    """Play a game against a player that is given, or that the notebook in this folder defines."""
    parser = argparse.ArgumentParser(prog="play.py", description="Play a game in the console.")
    add = parser.add_argument
    add("game", nargs="?", default="connect-four", choices=GAMES, help="default: connect-four")
    text = "a player of the notebook here, such as MiniMax, AlphaBeta or find_best_move"
    add("opponent", nargs="?", default="random", help=f"random (the default), human, or {text}")
    add("--second", action="store_true", help="let the opponent begin")
    add("--depth", type=int, default=4, help="how far AlphaBeta or find_best_move looks (4)")
    options = parser.parse_args()
    kind, name = GAMES[options.game], options.opponent
    names = vars(games) | {"human": games.human_player, "random": games.random_player}
    if imports := {kind, name} - names.keys():
        print("Running the notebook in this folder ...", flush=True)
        try:
            from check import load  # which needs pytest, and chance does not

            notebook = load(Path.cwd())
        except (ImportError, ValueError) as error:
            parser.error(str(error))
        for missing in imports - notebook.values.keys():
            errors = [f"\na cell stopped: {one.error}" for one in notebook.cells if one.error]
            parser.error(f"{notebook.file.name} does not define {missing}{''.join(errors)}")
        names = {**notebook.values, **names}
    opponent = names[name]
    if isinstance(opponent, type):
        opponent = opponent(options.depth) if name == "AlphaBeta" else opponent()
    elif name == "find_best_move":
        opponent = functools.wraps(names[name])(lambda *now: names[name](*now, options.depth))
    players, game = [games.human_player, opponent][:: -1 if options.second else 1], names[kind]()
    state, first = game.initial, game.to_move(game.initial)
    try:
        for move, by, state in games.turns(game, players, game.initial):  # noqa: B007 - used below
            print(f"{move!r} {by}\n", flush=True)
    except (EOFError, KeyboardInterrupt):
        parser.exit(message="\nThe game ends here, unfinished. Goodbye!\n")
    game.display(state)
    value = game.utility(state, first)
    words: dict[float, str] = {1: f"{first} has won", 0: "a draw", -1: f"{first} has lost"}
    print(f"The game is over: {words.get(value, f'{value} for {first}')}.")


if __name__ == "__main__":
    main()
