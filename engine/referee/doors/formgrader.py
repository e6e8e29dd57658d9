"""Save marks by hand in nbgrader's formgrader: its server gets one more address.

The page on which a submission is marked, `marks/templates/marking`, asks there.
"""

import time
from pathlib import Path

import msgspec
from nbgrader.api import MissingEntry
from nbgrader.server_extensions.formgrader import apihandlers
from nbgrader.server_extensions.formgrader.base import (
    BaseApiHandler,
    check_notebook_dir,
    check_xsrf,
)
from tornado import web

from referee import course
from referee.course import CourseError
from referee.marks import by_hand, files, grade_log, gradebook

ADDRESS = r"/formgrader/api/by_hand/([^/]+)"
BUSY_SECONDS = 600.0  # a page that was opened longer ago counts as left


class MarksByHand(BaseApiHandler):  # type: ignore[misc]
    """Gives what stands for the cells of a submission, and saves what is typed for one."""

    @web.authenticated
    @check_xsrf  # type: ignore[untyped-decorator]
    @check_notebook_dir  # type: ignore[untyped-decorator]
    def get(self, submission: str) -> None:
        """Answer with all cells, and what the class still needs there.

        With `next`, a cell, the tab goes on to who waits there: no other tab is sent to that one.
        """
        try:
            with gradebook.opened(self.db_url) as book:
                root = course.find_root(Path(self.coursedir.root))
                open_cells = by_hand.of_class(root, book, submission, self._busy())
                cell = open_cells.get(self.get_query_argument("next", ""))
                others = [one for one in cell.waiting if one != submission] if cell else []
                tab, going = self.get_query_argument("tab", ""), [*others, submission][0]
                self._looking()[tab] = going, time.monotonic()
                self._answer(200, {"cells": by_hand.marks(book, submission), "open": open_cells})
        except (CourseError, MissingEntry) as error:
            self._refuse(503, f"{error}")

    @web.authenticated
    @check_xsrf  # type: ignore[untyped-decorator]
    @check_notebook_dir  # type: ignore[untyped-decorator]
    def put(self, submission: str) -> None:
        """Save one cell; answer with what stands there, also to who saved on something older."""
        try:
            saving = msgspec.json.decode(self.request.body, type=by_hand.Saving)
            self._save(submission, saving)
        except msgspec.MsgspecError as error:
            self._refuse(400, f"the request is none of this page's: {error}")
        except (CourseError, MissingEntry) as error:
            self._refuse(400, f"{error}")
        except OSError as error:
            self._refuse(500, f"{error.filename}: {error.strerror}")

    @web.authenticated
    @check_xsrf  # type: ignore[untyped-decorator]
    def delete(self, submission: str) -> None:
        """Note that a tab has left a submission."""
        tab = self.get_query_argument("tab", "")
        if self._looking().get(tab, ("", 0.0))[0] == submission:  # not where it is already
            del self._looking()[tab]
        self._answer(200, {})

    def _save(self, submission: str, saving: by_hand.Saving) -> None:
        root = course.find_root(Path(self.coursedir.root))
        try:
            with gradebook.opened(self.db_url) as book:
                mark = by_hand.save(root, book, submission, saving, self._who())
        except by_hand.StaleError:
            with gradebook.opened(self.db_url) as book:
                mark = by_hand.marks(book, submission)[saving.cell].mark
                row = book.find_submission_notebook_by_id(submission)
                names = gradebook.key(row), row.student.id, saving.cell
            last = grade_log.last_by_hand(root, *names)
            if last is None or last.by_hand[saving.cell][1] != mark:  # it was graded again since
                self._answer(409, {"mark": mark})
            else:
                self._answer(409, {"mark": mark, "who": last.who, "when": last.when})
        else:
            self.gradebook.db.expire_all()  # nbgrader's own pages show it at once
            self._answer(200, {"mark": mark})

    def _looking(self) -> dict[str, tuple[str, float]]:
        """Return the submission that each tab of a browser has open, and since when."""
        found: dict[str, tuple[str, float]] = self.settings.setdefault("referee_looking", {})
        return found

    def _busy(self) -> set[str]:
        """Return the submissions that other tabs have open."""
        mine, now = self.get_query_argument("tab", ""), time.monotonic()
        looking = self._looking().items()
        return {one for tab, (one, since) in looking if tab != mine and now - since < BUSY_SECONDS}

    def _who(self) -> str:
        """Return the account of the server, and whom the server knows."""
        person = getattr(self.current_user, "display_name", None)
        return f"{files.user()} ({person})" if person else files.user()

    def _answer(self, status: int, told: object) -> None:
        self.set_status(status)
        self.set_header("Content-Type", "application/json")
        self.finish(msgspec.json.encode(told))

    def _refuse(self, status: int, why: str) -> None:
        self._answer(status, {"message": why})


def install() -> None:
    """Add the address to those of formgrader's server, which is starting."""
    if all(address != ADDRESS for address, *_ in apihandlers.default_handlers):
        apihandlers.default_handlers.insert(0, (ADDRESS, MarksByHand))
