"""Say which test has failed when it happens, and keep what pytest has collected out of the way."""

import gc

import pytest


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Name each failure, in a run that prints dots."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None and not hasattr(config, "workerinput") and terminal.verbosity < 1:
        config.pluginmanager.register(_Names(terminal))


def pytest_collection_finish() -> None:
    """Look for what could be freed less often, and not among all tests: a tenth of the time."""
    gc.freeze()
    gc.set_threshold(50_000)


class _Names:
    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self._terminal = terminal

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._terminal.write_line(f"\nFAILED {report.nodeid}", red=True)
