"""Give the checks of break-it what is the student's own: suspects and numbers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adversarial.checks.break_it import PersonalSuspects, personal_suspects, year
from adversarial.checks.figure import written_id


@pytest.fixture
def suspects(student: Any, student_id: str, by_hand: Callable[[str], None]) -> PersonalSuspects:
    """Give what belongs to the id in the notebook; another's leaves the mark to a human."""
    secret = Path(__file__).with_name("year.txt").read_text("utf-8")
    return personal_suspects(year(secret), written_id(student, student_id, by_hand, "suspects"))
