"""Open pages in Chromium or Firefox without a window, and notebooks in JupyterLab."""

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from formgrading import get
from playwright.sync_api import Browser, Locator, Page, sync_playwright

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
FIREFOX = ("firefox-esr", "firefox")
NO_BROWSER = (
    "this test opens pages in {0}, which is not installed: on Debian and Ubuntu `apt-get install "
    "{1}`, elsewhere install {0}"
)
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic",
           "--no-first-run", "--disable-background-networking", "--disable-component-update",
           "--disable-sync"]  # fmt: skip
PATIENCE = 240_000  # milliseconds; a busy machine is slow, and nothing here is timed


@contextmanager
def _started(name: str, programs: tuple[str, ...], home: Path, **options: Any) -> Iterator[Browser]:
    """Start the first browser that is there, without a window; without one skip the test."""
    path = next(filter(None, map(shutil.which, programs)), None)
    if path is None:
        said = NO_BROWSER.format(name, programs[0])
        pytest.fail(said) if "CI" in os.environ else pytest.skip(said)
    with sync_playwright() as playwright:
        browser = getattr(playwright, name.lower()).launch(
            executable_path=path, env=os.environ | {"HOME": str(home)}, **options
        )
        yield browser
        browser.close()


def chromium(home: Path) -> AbstractContextManager[Browser]:
    """A real browser without a window; its files lie in `home`."""
    return _started("Chromium", CHROMIUM, home, args=OPTIONS)


def firefox(home: Path) -> AbstractContextManager[Browser]:
    """The other one, as its makers ship it."""
    return _started("Firefox", FIREFOX, home, channel="moz-firefox")


in_both = pytest.mark.parametrize(
    "browser",
    [pytest.param(chromium, id="chromium"),
     pytest.param(firefox, id="firefox", marks=pytest.mark.nightly)],
    indirect=True,
)  # fmt: skip


def opened(browser: Browser, server: str, path: str, **options: Any) -> Page:
    """Open a notebook in JupyterLab with a new kernel, and run nothing."""
    page = browser.new_page(viewport={"width": 1280, "height": 900}, **options)
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server}/doc/tree/{path}?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    wait_for_kernel(server, path)
    return page


def notebook(browser: Browser, server: str, path: str, **options: Any) -> Page:
    """Open a notebook in JupyterLab, run all cells, and wait for the last one to print READY."""
    page = opened(browser, server, path, **options)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.get_by_text(f"READY {6 * 7}").wait_for()
    return page


def wait_for_kernel(server: str, path: str) -> None:
    """Wait until the notebook has a kernel that is idle; before that a page starts another one."""
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        sessions = [s for s in json.loads(get(f"{server}/api/sessions")) if s["path"] == path]
        kernels = [session["kernel"] for session in sessions if session["kernel"]]
        if [k["execution_state"] for k in kernels] == ["idle"] and kernels[0]["connections"]:
            return
    pytest.fail(f"{path} has got no kernel")


def output(page: Page, title: str) -> Locator:
    """Return the output with the buttons below that title."""
    shown = page.locator(".jp-OutputArea-output", has=page.get_by_text(title, exact=True))
    return shown.filter(has=page.locator(".jupyter-button"))
