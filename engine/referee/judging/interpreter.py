"""Make checks independent of this Python's settings and environment."""

import codecs
import contextlib
import locale
import os
import sys
import warnings
from collections.abc import Iterator

TOLD = "PYTEST_"  # variables by which an environment tells pytest something


def faults() -> list[str]:
    """Return a sentence for each setting that keeps this Python from running checks."""
    places = compile("0", "", "eval").co_positions()
    encoding = "utf-8" if sys.flags.utf8_mode else locale.getencoding()
    wrong = {
        "Python leaves asserts out here, by which checks decide: PYTHONOPTIMIZE is set, or it was "
        "started with -O": sys.flags.optimize,
        "Python forgets here at which step a check has failed: PYTHONNODEBUGRANGES is set": all(
            column is None for _, _, column, _ in places
        ),
        "files are not read as UTF-8 here: LC_ALL, LANG or PYTHONUTF8 say so": (
            codecs.lookup(encoding).name != "utf-8"
        ),
    }
    return [f"{said}; unset it and run this again" for said, is_so in wrong.items() if is_so]


@contextlib.contextmanager
def as_usual() -> Iterator[None]:
    """Reset environment variables and settings that could change a check, within the block."""
    hidden = {name: value for name, value in os.environ.items() if name.startswith(TOLD)}
    digits = sys.get_int_max_str_digits()
    for name in hidden:
        del os.environ[name]
    sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)
    try:
        with warnings.catch_warnings():
            warnings.resetwarnings()
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.set_int_max_str_digits(digits)
        os.environ.update(hidden)
