"""Build JupyterLite, the course in the browser with nothing installed; `docs/build.py` calls it.

Into the site go JupyterLab, a Python for browsers (Pyodide), and the released notebooks, all as
files that any web server can hand out: nothing is asked from elsewhere when a student opens them.
What is needed comes from PyPI and npm, at the versions and digests in `lite/wheels.txt` and below;
`lite/` also holds the settings of JupyterLite.

Pyodide's own list of packages names files that are not on PyPI, so a new list is written
(`pyodide-lock.json`).
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

DOCS = Path(__file__).parent
ROOT = DOCS.parent
BUILD = ROOT / "build" / "lite"
WHEELS = BUILD / "wheels"

PYODIDE = "314.0.6"  # the one that jupyterlite-pyodide-kernel 0.8.6 is made for
PYODIDE_SHA256 = "d78ac549b28a2a58600cd06f44e017024151775f8c6b2d73fab1475400d38ea2"
PYTHON = "3.14"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
KERNEL = "jupyterlite_pyodide_kernel"
KERNELS_OWN = ("piplite", "pyodide_kernel", "ipykernel-", "widgetsnbextension-4")


def build(site: Path) -> None:
    """Fill the folder `site`; the Python that was made before is used again if it is as new."""
    lite, python, stamp = BUILD / "site", BUILD / "python", BUILD / "python.txt"
    inputs = [DOCS / "lite.py", *sorted((DOCS / "lite").iterdir())]
    state = "\n".join(hashlib.sha256(file.read_bytes()).hexdigest() for file in inputs)
    if not stamp.exists() or stamp.read_text("utf-8") != state:
        shutil.rmtree(python, ignore_errors=True)
        put_python(python)
        stamp.write_text(state, "utf-8")
    for folder in (lite, site):  # in an older one some steps of the build would be left out
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS / "lite", lite)
    shutil.copytree(python, lite / "static" / "pyodide")
    (kernel,), (widgets,) = (WHEELS.glob(f"{name}-*") for name in (KERNEL, "jupyterlab_widgets"))
    run(
        sys.executable, "-m", "jupyter", "lite", "build", f"--output-dir={site}",
        f"--contents={ROOT / 'release'}",
        *(f"--LiteBuildConfig.federated_extensions={wheel}" for wheel in (kernel, widgets)),
        cwd=lite, PYTHONPATH=os.pathsep.join([str(kernel), os.environ.get("PYTHONPATH", "")]),
    )  # fmt: skip
    add_icon(site)
    for assignment in (ROOT / "release").iterdir():
        pack(assignment, site / f"{assignment.name}.zip")


def pack(release: Path, file: Path) -> None:
    """Write a zip of a release without its notebook, for who has the notebook elsewhere."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(release.rglob("*")):
            if path.suffix != ".ipynb" and "__pycache__" not in path.parts:
                archive.write(path, path.relative_to(release))


def add_icon(site: Path) -> None:
    """Give the pages of JupyterLite the icon of the site; they have none, and browsers ask."""
    shutil.copy(DOCS / "_static" / "favicon.svg", site)
    icon = '<link rel="icon" type="image/svg+xml" href="../favicon.svg">'
    for file in site.glob("*/index.html"):
        text = file.read_text("utf-8")
        file.write_text(text.replace("<head>", f"<head>{icon}", 1), "utf-8")


def run(*command: str, cwd: Path, **environment: str) -> None:
    """Run a program; when it fails, say all that it says and end."""
    process = subprocess.run(
        command, cwd=cwd, env=os.environ | environment, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{process.stdout}")


def packed_by_npm(package: str, sha256: str) -> Path:
    """Return a package, `name@version`, as npm packs it; end if its digest is another one."""
    file = BUILD / f"{package.replace('@', '-')}.tgz"
    if not file.exists():
        if shutil.which("npm") is None:
            sys.exit(f"This needs {package}, which npm downloads: install npm (Node.js).")
        BUILD.mkdir(parents=True, exist_ok=True)
        run("npm", "pack", "--silent", package, cwd=BUILD)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    if digest != sha256:
        sys.exit(f"{file} has the digest {digest}, not {sha256}: delete it, try again.")
    return file


# --- Python for the browser ------------------------------------------------------------------


def put_python(folder: Path) -> None:
    """Fill a new folder with Pyodide, the wheels that `wheels.txt` names, compiled, and a list."""
    folder.mkdir(parents=True)
    with tarfile.open(packed_by_npm(f"pyodide@{PYODIDE}", PYODIDE_SHA256)) as archive:
        for name in (*CORE, "pyodide-lock.json"):
            member = archive.extractfile(f"package/{name}")
            if member is None:
                sys.exit(f"Pyodide {PYODIDE} has no file {name}.")
            (folder / name).write_bytes(member.read())
    shutil.rmtree(WHEELS, ignore_errors=True)
    run(
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes",
        f"--python-version={PYTHON}", "--only-binary=:all:", "--disable-pip-version-check",
        f"--dest={WHEELS}", f"--requirement={DOCS / 'lite' / 'wheels.txt'}", cwd=BUILD,
    )  # fmt: skip
    for wheel in WHEELS.iterdir():
        if not wheel.name.startswith(KERNEL):
            shutil.copy(wheel, folder)
            continue
        with zipfile.ZipFile(wheel) as kernel:
            for name in map(Path, kernel.namelist()):
                if name.suffix == ".whl" and name.name.startswith(KERNELS_OWN):
                    (folder / name.name).write_bytes(kernel.read(str(name)))
    run("node", str(DOCS / "lite" / "compile.mjs"), str(folder), cwd=BUILD)
    lock = folder / "pyodide-lock.json"
    packages = {one["name"]: one for one in map(about, sorted(folder.glob("*.whl")))}
    for package in packages.values():
        package["depends"] = sorted(packages.keys() & package["depends"])
    info = json.loads(lock.read_text("utf-8"))["info"]
    lock.write_text(json.dumps({"info": info, "packages": packages}, indent=1), "utf-8")


def about(wheel: Path) -> dict[str, Any]:
    """Return what Pyodide must know about a wheel."""
    (package,) = distributions(path=[str(wheel)])
    needs = map(Requirement, package.requires or ())
    return {
        "name": canonicalize_name(package.metadata["Name"]),
        "version": package.version,
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": [],  # what is in none of these packages is loaded at the start
        "depends": {canonicalize_name(one.name) for one in needs if "extra" not in str(one.marker)},
        "unvendored_tests": False,
    }
