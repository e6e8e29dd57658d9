"""Make temporary folders that only this user may enter, and that end with the process."""

import shutil
import tempfile
from multiprocessing.util import Finalize


class Folder(tempfile.TemporaryDirectory[str]):
    """A folder whose name begins with `prefix`."""

    def __init__(self, prefix: str) -> None:
        """Make the folder, which only this user may enter."""
        super().__init__(prefix=prefix)
        # A process that was forked off leaves without the finalizers of `tempfile`.
        Finalize(self, shutil.rmtree, (self.name, True), exitpriority=0)
