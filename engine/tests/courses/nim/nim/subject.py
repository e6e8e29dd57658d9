"""Tell the engine what the course is about."""

from referee.model import Remote, Subject

METHODS = ("actions", "result", "utility", "terminal_test", "to_move")
FACTS = ("actions", "terminal_test", "to_move")
SOURCES = ("initial", "result")
GAME = Remote("piles:Game", METHODS, ("initial",), SOURCES, FACTS)
SUBJECT = Subject(library=("piles.py",), records=("piles:Position",), remotes=(GAME,))
