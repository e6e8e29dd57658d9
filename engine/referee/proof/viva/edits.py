"""Change a student's program in one line, and leave all others as they are.

The changes are those of `mutants`. They are put into the text of the line, so that it is still the
student's own, and every line keeps its number.
"""

import ast
import contextlib
import io
import itertools
import tokenize
from collections.abc import Container, Iterator
from typing import NamedTuple

from referee.intake import mutants


class Edit(NamedTuple):
    """A change of one line of a cell: the line before and after, and the whole source."""

    label: str
    line: int
    before: str
    after: str
    source: str


class Token(NamedTuple):
    """A token of a line: where it begins and ends, and what it says."""

    start: int
    end: int
    said: str


def edits(source: str, label: str, among: Container[int]) -> Iterator[Edit]:
    """Yield the changes of some lines of functions, but for those of what is returned at once."""
    tree, lines = ast.parse(source), source.splitlines()
    seen = {"\n".join(lines)}
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        for statement in mutants.statements(function):
            number = statement.lineno
            if statement is function or number not in among or not is_one_line(statement):
                continue
            before = _head(statement)
            for operator, _, do, undo in mutants.changes(statement, function):
                do()
                removed = all(node is not statement for node in ast.walk(tree))
                after = "pass" if removed else _head(statement)
                undo()
                text = lines[number - 1]
                plain = operator == "returned" or (operator == "constant" and _is_plain(statement))
                changed = "" if plain else _changed(text, before, after)
                made = "\n".join([*lines[: number - 1], changed, *lines[number:]])
                if changed and made not in seen:
                    seen.add(made)
                    with contextlib.suppress(SyntaxError):
                        ast.parse(made)
                        yield Edit(label, number, text.strip(), changed.strip(), made)


def is_one_line(statement: ast.stmt) -> bool:
    """Return whether a statement, or the head of its block, has one line to itself."""
    body = getattr(statement, "body", None)
    if not body:
        return statement.lineno == statement.end_lineno
    inside = [one for one in ast.iter_child_nodes(statement) if not isinstance(one, ast.stmt)]
    ends = [getattr(node, "end_lineno", 0) for one in inside for node in ast.walk(one)]
    return bool(max(ends, default=0) <= statement.lineno < body[0].lineno)


def _is_plain(statement: ast.stmt) -> bool:
    """Return whether this returns something and computes nothing."""
    computing = ast.BinOp | ast.Call | ast.Subscript
    inside = ast.walk(statement)
    return isinstance(statement, ast.Return) and not any(isinstance(n, computing) for n in inside)


def _head(statement: ast.stmt) -> str:
    return ast.unparse(statement).splitlines()[0]


def _changed(text: str, before: str, after: str) -> str:
    """Return a line's text with the change that leads from one statement to another.

    "" if the line is written otherwise than Python would write it, but for blanks and quotes.
    """
    old = _tokens(text)
    if old and old[0].said == "elif":
        before, after = f"el{before}", f"el{after}"
    if [one.said for one in old] != [one.said for one in _tokens(before)]:
        return ""
    if after == "pass":
        return text[: old[0].start] + after
    new = _tokens(after)
    first = _alike(old, new)
    last = _alike(old[first:][::-1], new[first:][::-1])
    ours, theirs = old[first : len(old) - last], new[first : len(new) - last]
    rest = old[-last].start if last else old[-1].end
    if ours and theirs:  # what stands in place of something else
        piece = after[theirs[0].start : theirs[-1].end]
        return text[: ours[0].start] + piece + text[ours[-1].end :]
    if ours:
        gap = after[new[first - 1].end : new[first].start] if first and last else ""
        kept = text[: old[first - 1].end] if first else text[: ours[0].start]
        return kept + gap + text[rest:]
    return text[:rest] + after[new[first].start : new[-last].start] + text[rest:] if last else ""


def _alike(some: list[Token], others: list[Token]) -> int:
    """Return how many tokens at the beginning say the same."""
    pairs = zip(some, others, strict=False)
    return len([*itertools.takewhile(lambda pair: pair[0].said == pair[1].said, pairs)])


def _tokens(text: str) -> list[Token]:
    """Return the tokens of a line, without its comment."""
    found, shift = [], len(text) - len(text.lstrip())
    with contextlib.suppress(tokenize.TokenError, SyntaxError, ValueError):
        # The head of a block is no whole program, and its tokens come before that is found out.
        for one in tokenize.generate_tokens(io.StringIO(text.strip()).readline):
            is_text = one.type == tokenize.STRING
            said = repr(ast.literal_eval(one.string)) if is_text else one.string
            if said.strip() and one.type != tokenize.COMMENT:
                found.append(Token(one.start[1] + shift, one.end[1] + shift, said))
    return found
