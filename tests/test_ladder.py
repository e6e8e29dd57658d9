"""Let solutions of the bank play a ladder of Connect Four, and open its page in a browser."""

import json
from pathlib import Path

import axe
import pytest
from course_copies import make_course
from formgrading import run
from playwright.sync_api import Browser, Page

from adversarial.ladder import ladder
from referee import course
from referee.proof import bank

NAME, ROOT = "connect-four", Path(__file__).parents[1]
PLAYERS = {
    "ada": "right/negamax", "ben": "wrong/find_first_move", "cas": "loop/find_deeper_until_won",
    "dan": "wrong/find_worst",
}  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course in which a ladder was played, without exact values, which take seconds."""
    root = make_course(tmp_path_factory.mktemp("ladder") / "course", NAME)
    file = root / "adversarial/ladder.py"
    file.write_text(file.read_text().replace("EXACT_FROM = 16", "EXACT_FROM = 38"))
    task, real = course.find_assignment(root, NAME), course.find_assignment(ROOT, NAME)
    for student, name in PLAYERS.items():
        solution = bank.read(real.bank / f"{name}.py")
        notebook = bank.notebook(solution, task, {"nodes": "nodes = {}"})
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code" and not cell["metadata"].get("nbgrader"):
                cell["source"] = ""  # games to look at
        place = root / "submitted" / student / NAME
        place.mkdir(parents=True)
        (place / f"{NAME}.ipynb").write_text(json.dumps(notebook))
    options = ("--names", "--seconds", "0.5", "--json", "ladder.json")
    run(root, "referee", "ladder", NAME, *options)
    return root


def test_the_order_is_that_of_strength(played: Path) -> None:
    """Does a right search come before a greedy player, and are lost times no draws?"""
    found = json.loads((played / "ladder.json").read_bytes())
    place = {one["name"]: number for number, one in enumerate(found["players"])}
    assert place["ada"] < place["greedy"] < place["random"]
    assert place["random"] < place["cas"]
    by_name = {one["name"]: one for one in found["players"]}
    assert by_name["cas"]["forfeits"] == by_name["cas"]["lost"] == 12
    assert {one["forfeits"] for name, one in by_name.items() if name != "cas"} == {0}
    assert by_name["random"]["rating"] == 0
    assert (found["counted"], found["uncounted"]) == (42, 0)


@pytest.mark.parametrize("name", [NAME, "tic-tac-toe"])
def test_the_courses_own_players_play_by_the_rules(name: str) -> None:
    """Does each choose a legal move, from the opening to the end, and is the end told?"""
    import random

    found = ladder(name)
    assert found is not None
    for own in found.players.values():
        chance = random.Random(1)
        moves = found.opening(chance)
        while legal := found.legal(moves):
            late = len(legal) < 4 or len(moves) > 20 or name != NAME
            chosen = (own if late else found.players["random"])(moves, chance)
            assert chosen in legal
            moves.append(chosen)
        assert found.score(moves) in (0, 0.5, 1)
        assert found.replay(moves)
    assert ladder("game-trees") is None


def opened(browser: Browser, played: Path, scheme: str = "light") -> Page:
    page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto((played / f"ladder-{NAME}.html").as_uri())
    page.locator("#replay svg").wait_for()
    assert said == []
    return page


def test_every_game_can_be_replayed_by_keyboard(played: Path, browser: Browser) -> None:
    """Is each of a player's games chosen by keys, and walked through to its beginning?"""
    page = opened(browser, played)
    page.get_by_role("link", name="cas").focus()
    page.keyboard.press("Enter")
    games, told = page.locator("#game"), page.locator("#told")
    assert games.locator("option").count() == 12
    assert "took more than 0.5 s" in told.inner_text()
    games.focus()
    first = told.inner_text()
    page.keyboard.press("ArrowDown")
    assert told.inner_text() != first
    step = page.locator("#replay [aria-live]")
    page.locator("#replay input").focus()
    page.keyboard.press("Home")
    page.wait_for_function("document.querySelector('#replay p').innerText.startsWith('Step 0 of')")
    page.keyboard.press("ArrowRight")
    assert step.inner_text().startswith("Step 1 of")
    assert "X plays" in step.inner_text()
    page.close()


@pytest.mark.pages
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_shuts_nobody_out(played: Path, browser: Browser, scheme: str) -> None:
    """Does axe-core find nothing, in both colours, and does the page fit on a phone?"""
    page = opened(browser, played, scheme)
    assert axe.violations(page) == []
    page.set_viewport_size({"width": 360, "height": 700})
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.close()
