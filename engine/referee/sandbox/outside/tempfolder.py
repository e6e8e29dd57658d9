"""Make temporary folders that only this user may enter, and that end with the process."""

import shutil
import tempfile
from multiprocessing.util import Finalize


class Folder:
    """A folder whose name begins with `prefix`; as a context manager it gives its path."""

    def __init__(self, prefix: str) -> None:
        """Make the folder, which only this user may enter."""
        self.name = tempfile.mkdtemp(prefix=prefix)
        # A process that was forked off leaves without the finalizers of `tempfile`.
        self.cleanup = Finalize(self, shutil.rmtree, (self.name, True), exitpriority=0)

    def __enter__(self) -> str:
        """Return the path of the folder."""
        return self.name

    def __exit__(self, *_: object) -> None:
        """Remove the folder."""
        self.cleanup()
