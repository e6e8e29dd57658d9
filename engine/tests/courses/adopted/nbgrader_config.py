"""A configuration without a setting, as nbgrader's users have it; the programs are found."""

import os
import sys
from pathlib import Path

neighbours = str(Path(sys.executable).parent)  # nbgrader calls alembic
os.environ["PATH"] = os.pathsep.join([neighbours, os.environ["PATH"]])
c = get_config()  # noqa: F821 - given by traitlets
