"""Save marks by hand in nbgrader's formgrader: its server gets one more address.

The page on which a submission is marked, `marks/templates/marking`, asks there.
"""

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

from referee.course import CourseError, find_course
from referee.marks import by_hand, files, gradebook

ADDRESS = r"/formgrader/api/by_hand/([^/]+)"


class MarksByHand(BaseApiHandler):  # type: ignore[misc]
    """Gives what stands for the cells of a submission, and saves what is typed for one."""

    @web.authenticated
    @check_xsrf  # type: ignore[untyped-decorator]
    @check_notebook_dir  # type: ignore[untyped-decorator]
    def get(self, submission: str) -> None:
        """Answer with what stands for all cells, and who waits for a mark of each."""
        try:
            with gradebook.opened(self.db_url) as book:
                cells, waiting = (of(book, submission) for of in (by_hand.marks, by_hand.waiting))
            self._answer(200, {"cells": cells, "waiting": waiting})
        except (CourseError, MissingEntry) as error:
            self._answer(503, {"message": f"{error}"})

    @web.authenticated
    @check_xsrf  # type: ignore[untyped-decorator]
    @check_notebook_dir  # type: ignore[untyped-decorator]
    def put(self, submission: str) -> None:
        """Save one cell; answer with what stands there, also to who saved on something older."""
        try:
            course = find_course(Path(self.coursedir.root))
            saving = msgspec.json.decode(self.request.body, type=by_hand.Saving)
            person = getattr(self.current_user, "display_name", None)  # whom the server knows
            who = f"{files.user()} ({person})" if person else files.user()
            with gradebook.opened(self.db_url) as book:
                mark = by_hand.save(course, book, submission, saving, who)
            self.gradebook.db.expire_all()  # nbgrader's own pages show it at once
            self._answer(200, {"mark": mark})
        except by_hand.StaleError as stale:
            self._answer(409, {"mark": stale.mark})
        except msgspec.MsgspecError as error:
            self._answer(400, {"message": f"the request is none of this page's: {error}"})
        except (CourseError, MissingEntry) as error:
            self._answer(400, {"message": f"{error}"})
        except OSError as error:
            self._answer(500, {"message": f"{error.filename}: {error.strerror}"})

    def _answer(self, status: int, content: object) -> None:
        self.set_status(status)
        self.set_header("Content-Type", "application/json")
        self.finish(msgspec.json.encode(content))


def install() -> None:
    """Add the address to those of formgrader's server, which is starting."""
    if all(address != ADDRESS for address, *_ in apihandlers.default_handlers):
        apihandlers.default_handlers.insert(0, (ADDRESS, MarksByHand))
