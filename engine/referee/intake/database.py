"""Say where the gradebook's database is, and what to do if it cannot be used."""

from referee.course import CONFIG, CourseError

BUSY_SECONDS = 60  # that a file is waited for which another process has locked
UNUSABLE = (
    f"the gradebook cannot be used ({{}}); see that c.CourseDirectory.db_url in {CONFIG} names "
    "it, that its server runs if it has one, that `nbgrader db upgrade` was run if an older "
    "nbgrader has made it, and put your last copy back if it is damaged"
)


def patient(db_url: str) -> str:
    """Return a database's URL; with it, a locked file is waited for."""
    if not db_url.startswith("sqlite") or "timeout=" in db_url:
        return db_url
    return f"{db_url}{'&' if '?' in db_url else '?'}timeout={BUSY_SECONDS}"


def unusable(error: Exception) -> CourseError:
    """Return the error for a database that cannot be used: why, and what to do."""
    orig: BaseException = getattr(error, "orig", None) or error
    said = orig.args[0] if orig.args else None
    why = said.get("M", orig) if isinstance(said, dict) else orig  # pg8000 gives all it knows
    return CourseError(UNUSABLE.format(str(why).strip()))
