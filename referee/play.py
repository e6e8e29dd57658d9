"""Play a game against the computer in the instructor's terminal.

Draws the board, asks for moves until one is legal, and tells what the computer plays and how it
has found it; also shows a game that was played before. Knows no notebook and no mark. Imported by
`cli`.
"""

import enum
import random
import re
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from games import GameState, Move
from referee import opponent
from referee.opponent import Opponent, Rules

COLOURS = {"X": "bold red", "O": "bold yellow"}
LEVELS = (
    "1: moves at random. 2: sees a win or a block in one move. 3 and 4: look 2 and 4 plies ahead. "
    "5: perfect at tic-tac-toe; at Connect Four perfect when "
    f"{opponent.EXACT_FROM} pieces are on the board, and before that it looks "
    f"{opponent.DEEP} plies ahead where it cannot solve the position in a few seconds."
)
LEAVE = ("q", "quit", "exit")


class Name(enum.StrEnum):
    """The games that can be played."""

    TIC_TAC_TOE = "tic-tac-toe"
    CONNECT_FOUR = "connect-four"


RULES: dict[Name, Callable[[], Rules]] = {
    Name.TIC_TAC_TOE: opponent.tic_tac_toe,
    Name.CONNECT_FOUR: opponent.connect_four,
}


def play(console: Console, name: Name, level: int, first: bool, chance: random.Random) -> bool:
    """Play a game, the human moving `first` or second; return whether it was played to its end."""
    rules = RULES[name]()
    computer, human = Opponent(rules, level, chance), "X" if first else "O"
    state, last = rules.game.initial, None
    console.print(f"You are {human}; X moves first. The computer plays at level {level} of 5.")
    while not rules.game.terminal_test(state):
        if state.to_move == human:
            console.print(drawn(rules, state, last))
            last = _asked(console, rules, state)
            if last is None:
                console.print("The game ends here, unfinished. Goodbye!")
                return False
        else:
            with console.status("The computer thinks ..."):
                last, how = computer.choose(state)
            console.print(f"The computer plays {spoken(last)} ({how}).")
        state = rules.game.result(state, last)
    console.print(drawn(rules, state, last))
    won = rules.game.utility(state, human)
    console.print("You win!" if won > 0 else "The computer wins." if won < 0 else "A draw.")
    return True


def replay(
    console: Console, name: Name, players: Sequence[str], moves: Sequence[Move], opening: int
) -> None:
    """Show a game that was played, board by board; its first `opening` moves were given."""
    rules = RULES[name]()
    state = rules.game.initial
    for number, move in enumerate(moves, start=1):
        symbol, player = state.to_move, players[(number - 1) % len(players)]
        told = "is given" if number <= opening else "plays"
        state = rules.game.result(state, move)
        line = f"{number}. {player} ({symbol}) {told} {spoken(move)}"
        console.print(line, markup=False)
        if number >= opening:
            console.print(drawn(rules, state, move))


def drawn(rules: Rules, state: GameState, last: Move = None) -> Text:
    """Return a picture of the board with its numbers, the `last` move underlined."""
    falling = not isinstance(rules.game.initial.moves[0], tuple)
    picture = Text("\n")
    for row in reversed(range(rules.rows)) if falling else range(rules.rows):
        picture.append("  " if falling else f"{row:>3} ")
        for column in range(rules.columns):
            piece = state.board.get((row, column), "·")
            here = (row, column) == _landed(state, last, falling)
            style = COLOURS.get(piece, "dim") + (" underline" if here else "")
            picture.append(" ").append(piece, style)
        picture.append("\n")
    numbers = "".join(f" {column}" for column in range(rules.columns))
    return picture.append(f"  {'' if falling else '  '}{numbers}\n", "dim")


def understood(rules: Rules, text: str) -> Move:
    """Return the move that was typed: a column, or a row and a column, or a square's number.

    ValueError with the reason when it is none.
    """
    squares, most = isinstance(rules.game.initial.moves[0], tuple), rules.rows * rules.columns - 1
    wanted = f"the number of a column, 0 to {rules.columns - 1}"
    if squares:
        wanted = f"a row and a column, as 1 2, or the number of a square, 0 to {most}"
    found = re.fullmatch(r"\(?\s*(\d{1,3})(?:[\s,]+(\d{1,3}))?\s*\)?", text.strip(), re.ASCII)
    if found is None or (found[2] and not squares):
        raise ValueError(f"{text.strip()[:40]!r} is no move: type {wanted}")
    if not squares:
        move: Move = int(found[1])
    elif found[2]:
        move = int(found[1]), int(found[2])
    else:
        move = divmod(int(found[1]), rules.columns)
    return move


def spoken(move: Move) -> str:
    """Return a move in words."""
    return f"row {move[0]}, column {move[1]}" if isinstance(move, tuple) else f"column {move}"


def _asked(console: Console, rules: Rules, state: GameState) -> Move:
    """Ask until a legal move is typed and return it, or None at the end of the input."""
    while True:
        try:
            text = console.input(f"Your move, {state.to_move} (q leaves): ")
        except EOFError:
            console.print()
            return None
        if text.strip().lower() in LEAVE:
            return None
        try:
            return _free(rules, state, understood(rules, text))
        except ValueError as reason:
            console.print(str(reason), style="yellow", markup=False)


def _free(rules: Rules, state: GameState, move: Move) -> Move:
    """Return a legal move as it is; ValueError with the reason if it is none."""
    if move in state.moves:
        return move
    why = "is not free any more" if move in rules.game.initial.moves else "is not on the board"
    raise ValueError(f"{spoken(move)} {why}: choose another move")


def _landed(state: GameState, move: Move, falling: bool) -> Move:
    """Return the square that the last `move` took."""
    if move is None or not falling:
        return move
    return max(row for row, column in state.board if column == move), move
