"""Reuse pytest's options and plugins for all submissions of a process, which saves time.

Session, fixtures, modules and conftests are new in each run. This uses names of pytest's that are
not public: `tests/judging/test_pytest_once.py` tests that no state of a run is left for the next.
If a new pytest breaks it, `pytest.main` does the same, more slowly.
"""

import copy
import functools
import inspect
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from _pytest.config import Config, _prepareconfig
from _pytest.fixtures import FixtureFunctionDefinition

_elsewhere: dict[str, dict[str, int]] = {}  # by folder: the modules from elsewhere, by name
HOOKS = re.compile(r"\bpytest_[a-z]")  # in a conftest: needed when pytest starts


def run(options: Sequence[str], folder: Path, plugin: object) -> int:
    """Run the tests of a folder like `pytest.main`, with one more plugin; return the exit code."""
    _forget(folder)
    conftests = folder.rglob("conftest.py")
    if any(HOOKS.search(file.read_text("utf-8", "replace")) for file in conftests):
        return pytest.main([*options, str(folder)], plugins=[plugin])
    return _ready((*options, str(folder)), str(Path.cwd())).run(plugin)


def _forget(folder: Path) -> None:
    """Drop the modules of a folder, so that pytest reads them as they are now."""
    relative, inside = f"{'.'.join(folder.parts[-3:])}.", f"{folder}{os.sep}"
    elsewhere = _elsewhere.setdefault(inside, {})
    for name, module in list(sys.modules.items()):
        if elsewhere.get(name) == id(module):
            continue
        file = getattr(module, "__file__", None) or ""
        if name.startswith(relative) or file.startswith(inside):
            del sys.modules[name]
        else:
            elsewhere[name] = id(module)


def _fixtures(plugin: object) -> ModuleType | None:
    """Return a module with the fixtures of a plugin, if it has any.

    Each session searches all names of a plugin for fixtures, and computes their signatures.
    """
    holder = plugin if isinstance(plugin, ModuleType) else type(plugin)
    members = inspect.getmembers_static(holder)
    fixtures = {name: one for name, one in members if isinstance(one, FixtureFunctionDefinition)}
    for fixture in fixtures.values():
        function: Any = fixture._get_wrapped_function()
        function.__signature__ = inspect.signature(function)
    found = ModuleType("fixtures")
    vars(found).update(fixtures)
    return found if fixtures else None


@functools.lru_cache(maxsize=1)
def _ready(arguments: tuple[str, ...], _: str) -> "_Ready":
    """Return the configuration for these arguments in this working folder, made once."""
    return _Ready(arguments)


class _Ready:
    """A configuration of pytest, and its state before the first run."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._config: Config = _prepareconfig([*arguments, "--noconftest"])
        manager = self._config.pluginmanager
        manager._noconftest = False  # they are read with their folder
        self._config._ensure_unconfigure()
        self._settings = {name: self._config.getini(name) for name in self._config._parser._inidict}
        self._plugins = manager.get_plugins()
        self._told = [
            ({**said, "plugin": fixtures}, do)
            for said, do in manager.hook.pytest_plugin_registered._call_history or []
            if (fixtures := _fixtures(said["plugin"])) is not None
        ]
        self._stash = dict(self._config.stash._storage)
        self._option = dict(vars(self._config.option))
        self._attributes = dict(vars(self._config))
        self._restore()

    def run(self, plugin: object) -> int:
        manager = self._config.pluginmanager
        capture: Any = manager.get_plugin("capturemanager")
        try:
            capture.start_global_capturing()
            self._config.add_cleanup(capture.stop_global_capturing)
            manager.register(plugin)
            return int(self._config.hook.pytest_cmdline_main(config=self._config))
        except pytest.UsageError as error:
            print(f"ERROR: {error}", file=sys.stderr)
            return pytest.ExitCode.USAGE_ERROR
        finally:
            self._restore()

    def _restore(self) -> None:
        """Restore the state before the run: plugins, settings, stash and files read."""
        manager = self._config.pluginmanager
        for plugin in manager.get_plugins() - self._plugins:
            manager.unregister(plugin)
        manager._conftest_plugins.clear()
        manager._dirpath2confmods.clear()
        manager.hook.pytest_plugin_registered._call_history = list(self._told)
        for owner, known in ((self._config, self._attributes), (self._config.option, self._option)):
            vars(owner).clear()
            vars(owner).update(known)
        self._config._inicache.clear()
        self._config._inicache.update(copy.deepcopy(self._settings))  # which have lists that grow
        self._config.stash._storage.clear()
        self._config.stash._storage.update(self._stash)
