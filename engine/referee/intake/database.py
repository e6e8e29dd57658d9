"""Open the gradebook's database, with patience for one that is busy or away for a while.

A file waits for its locks. For a server the plugin `Patience` goes with the URL to whoever opens
it, nbgrader too: a connection that has broken is replaced, one that is refused is tried again.
"""

import contextlib
import functools
import logging
import re
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Engine, ExceptionContext, NullPool, create_engine, event, make_url
from sqlalchemy.dialects import plugins
from sqlalchemy.engine import CreateEnginePlugin
from sqlalchemy.exc import DBAPIError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from referee.course import CONFIG, CourseError, db_url

Value = TypeVar("Value")
BUSY_SECONDS, PAUSE_SECONDS = 60.0, 0.5
PLUGIN = "referee"
NO_DRIVER = (
    f"the gradebook's database needs {{}}, which is not installed; for PostgreSQL: `pip install "
    f"pg8000`, and begin c.CourseDirectory.db_url in {CONFIG} with postgresql+pg8000://"
)
UNKNOWN = (
    f"c.CourseDirectory.db_url in {CONFIG} begins with {{}}://, which is no kind of database; one "
    "on PostgreSQL begins with postgresql+pg8000://"
)
UNUSABLE = (
    f"the gradebook cannot be used ({{}}); see that c.CourseDirectory.db_url in {CONFIG} names"
)
DAMAGED = "it, and put your last copy back if it is damaged"
AWAY = "it and that its server runs, then run this again; what was entered is kept"
# Codes of https://www.postgresql.org/docs/current/errcodes-appendix.html, by their beginnings.
NO_PASSWORD = "the server wants a password, and the address has none: user:PASSWORD@host"
NO_USER = "the address names no user of the server: USER@host"
BROKEN = re.compile(
    "network error|refused|closed|timed? ?out|starting|shutting|too many"
)  # no code
ENDED, CROWDED = "57P", "53"  # the server stops or starts; it has too many connections
# A transaction that has met one may succeed now: it was in another's way, or made what was there.
PASSING = ("40", "42P07", "42710")
TRIES = 5


class Patience(CreateEnginePlugin):
    """Makes the engine of a server's database patient."""

    def update_url(self, url: URL) -> URL:
        """Leave the URL as it is, without the plugin's name."""
        return url

    def handle_pool_kwargs(self, pool_cls: Any, pool_args: dict[str, Any]) -> None:
        """Ask a connection whether it still stands before it is used."""
        pool_args["pre_ping"] = True

    def engine_created(self, engine: Engine) -> None:
        """Look at each connection that is made, and at each error; say none twice."""
        logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)
        event.listen(engine, "do_connect", _connected)
        event.listen(engine, "handle_error", _expect_end)


plugins.register(PLUGIN, __name__, Patience.__name__)


def patient(db_url: str) -> str:
    """Return a database's URL with patience; CourseError without the driver that it needs."""
    url = make_url(db_url)
    try:
        url.get_dialect().import_dbapi()
    except ImportError as error:
        raise CourseError(NO_DRIVER.format(error.name)) from error
    except NoSuchModuleError as error:
        raise CourseError(UNKNOWN.format(url.drivername)) from error
    if url.get_backend_name() != "sqlite":
        url = url.update_query_dict({"plugin": PLUGIN}, append=True)
    elif "timeout" not in url.query:
        url = url.update_query_dict({"timeout": f"{BUSY_SECONDS:g}"})
    return url.render_as_string(hide_password=False)


def engine(root: Path) -> Engine | None:
    """Return the engine of a course's gradebook; None if its file does not exist yet."""
    try:
        found = _engine(patient(db_url(root)))
    except SQLAlchemyError as error:
        raise unusable(error, db_url(root)) from error
    file = Path(found.url.database or "")
    is_file = found.url.get_backend_name() == "sqlite"
    return None if is_file and not (file.is_file() and file.stat().st_size) else found


def unusable(error: SQLAlchemyError, db_url: str) -> CourseError:
    """Return the error for a database that cannot be used: why, and what to do."""
    orig: BaseException = getattr(error, "orig", None) or error
    said = orig.args[0] if orig.args else None
    why = said.get("M", orig) if isinstance(said, dict) else orig  # pg8000 gives all it knows
    advice = DAMAGED if db_url.startswith("sqlite") else AWAY
    return CourseError(f"{UNUSABLE.format(str(why).strip())} {advice}")


def again(work: Callable[[], Value], undo: Callable[[], None] = lambda: None) -> Value:
    """Return what a transaction returns; do it again where it was in another's way, or cut off."""
    for _ in range(TRIES - 1):
        try:
            return work()
        except (DBAPIError, ConnectionError) as error:  # pg8000 lets some through as they come
            with contextlib.suppress(DBAPIError, ConnectionError):
                undo()
            if isinstance(error, DBAPIError) and not _passes(error):
                raise
    return work()


def _passes(error: DBAPIError) -> bool:
    """Return whether a transaction may succeed if it is done again, at once."""
    passing = isinstance(error, IntegrityError) or _code(error.orig).startswith(PASSING)
    return passing or error.connection_invalidated


def _connected(dialect: Any, record: Any, arguments: Any, options: Any) -> Any:
    """Connect to a server; try again for a while if it is away, but not if it does not let us."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return dialect.connect(*arguments, **options)
        except (AttributeError, TypeError) as error:  # what pg8000 makes of it
            told = NO_USER if isinstance(error, TypeError) else NO_PASSWORD
            raise dialect.loaded_dbapi.InterfaceError(told) from error
        except (dialect.loaded_dbapi.Error, OSError) as error:
            if not _is_away(error) or time.monotonic() > end:
                raise
            time.sleep(PAUSE_SECONDS)


def _is_away(error: Exception) -> bool:
    """Return whether a server may be there in a while, and has not said that it lets us not in."""
    if _code(error):
        return _code(error).startswith((ENDED, CROWDED))
    cause = error.__cause__ or error
    broken = isinstance(cause, OSError) or bool(BROKEN.search(str(error)))
    return broken and not isinstance(cause, socket.gaierror)  # which is about the name of the host


def _expect_end(context: ExceptionContext) -> None:
    """Let a connection go that the server has ended, which not each driver knows."""
    if _code(context.original_exception).startswith(ENDED):
        context.is_disconnect = True


def _code(error: BaseException | None) -> str:
    """Return the server's code for an error, as pg8000 and psycopg tell it, or ""."""
    said = error.args[0] if error and error.args else None
    if isinstance(said, dict):
        return str(said.get("C", ""))
    return getattr(error, "sqlstate", None) or getattr(error, "pgcode", None) or ""


@functools.lru_cache(4)
def _engine(url: str) -> Engine:
    return create_engine(url, poolclass=NullPool)  # no connection stays open
