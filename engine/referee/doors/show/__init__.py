"""Print in a terminal what commands have found: nothing else prints. Decides nothing."""

from collections.abc import Sequence

from rich.console import Console

MOST_NAMED = 10


def say(console: Console, line: str, style: str | None = None) -> None:
    """Print a line as it is; in a pipe it stays one, however long it is."""
    whole = True if not console.is_terminal else None
    console.print(line, style=style, markup=False, highlight=False, soft_wrap=whole)


def say_whether(console: Console, good: bool, text: str, bad: str = "red") -> None:
    """Print a line with a sign before it that says whether all is well."""
    sign, style = ("✓", "green") if good else ("✗", bad)
    say(console, f"{sign} {text}", style)


def some(names: Sequence[str]) -> str:
    """Return the first ten names, and how many more there are."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"
