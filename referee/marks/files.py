"""Write a file whole or not at all. Knows nothing of what is in it."""

import contextlib
import os
from pathlib import Path


def save(file: Path, content: bytes) -> None:
    """Write a file beside its place and put it there when it is whole; a device just gets it.

    Raises OSError with the name of the file itself, whatever could not be done.
    """
    device = file.exists() and not file.is_file()
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        (file if device else temporary).write_bytes(content)
        if not device:
            temporary.replace(file)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
