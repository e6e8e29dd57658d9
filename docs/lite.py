"""Build JupyterLite, the course in the browser with nothing installed: `python docs/lite.py SITE`.

Into SITE go JupyterLab, a Python for browsers (Pyodide), and the released notebooks, all as files
that any web server can hand out: nothing is asked from elsewhere when a student opens them. What is
needed comes from PyPI and npm, at the versions and digests in `lite/wheels.txt` and below.

Pyodide's own list of packages names files that are not on PyPI, so a new list is written
(`pyodide-lock.json`), and all packages in it are loaded at the start.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
ROOT = DOCS.parent
BUILD = ROOT / "build" / "lite"
WHEELS = DOCS / "lite" / "wheels.txt"

PYODIDE = "314.0.6"  # the one that jupyterlite-pyodide-kernel 0.8.6 is made for
PYODIDE_SHA256 = "d78ac549b28a2a58600cd06f44e017024151775f8c6b2d73fab1475400d38ea2"
PYTHON = "3.14"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
KERNEL = "jupyterlite_pyodide_kernel"
KERNELS_OWN = ("piplite", "pyodide_kernel", "ipykernel-", "widgetsnbextension-4")
EXTENSIONS = (KERNEL, "jupyterlab_widgets")  # wheels that bring JupyterLab something
SETTINGS: dict[str, Any] = {
    "jupyter-lite-schema-version": 0,
    "jupyter-config-data": {
        "appName": "Adversarial search",
        "exposeAppInBrowser": True,  # so that tests, and curious people, can reach the notebook
        "disabledExtensions": ["@jupyterlab/apputils-extension:announcements"],
        "litePluginSettings": {
            "@jupyterlite/pyodide-kernel-extension:kernel": {
                "disablePyPIFallback": True,
                "pyodideUrl": "./static/pyodide/pyodide.mjs",
            }
        },
    },
}


def main() -> None:
    """Build the site that the command line names."""
    parser = argparse.ArgumentParser(description="Build JupyterLite with the released notebooks.")
    parser.add_argument("site", type=Path, help="the folder to fill")
    build(parser.parse_args().site.absolute())


def build(site: Path) -> None:
    """Fill the folder `site`; what was downloaded before is used again."""
    BUILD.mkdir(parents=True, exist_ok=True)
    wheels = downloaded_wheels()
    lite = BUILD / "site"
    shutil.rmtree(lite, ignore_errors=True)
    shutil.copytree(python_for_browsers(wheels), lite / "static" / "pyodide")
    write_settings(lite, wheels)
    for assignment in sorted((ROOT / "release").iterdir()):
        shutil.copytree(assignment, lite / "content" / assignment.name)
    library = BUILD / "library"  # the build needs the kernel's Python side, but not this .venv
    shutil.rmtree(library, ignore_errors=True)
    with zipfile.ZipFile(next(w for w in wheels if w.name.startswith(KERNEL))) as kernel:
        kernel.extractall(library)
    shutil.rmtree(site, ignore_errors=True)
    paths = os.pathsep.join([str(library), os.environ.get("PYTHONPATH", "")])
    run(
        sys.executable, "-m", "jupyter", "lite", "build", f"--output-dir={site}",
        cwd=lite, PYTHONPATH=paths,
    )  # fmt: skip
    add_icon(site)
    for assignment in sorted((ROOT / "release").iterdir()):
        pack(assignment, site / f"{assignment.name}.zip")


def pack(release: Path, file: Path) -> None:
    """Write a zip of a release without its notebook, for who has the notebook elsewhere."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for one in sorted(release.rglob("*")):
            if one.suffix != ".ipynb" and "__pycache__" not in one.parts:
                packed.write(one, one.relative_to(release))


def run(*command: str, cwd: Path, **environment: str) -> str:
    """Run a program and return what it says; when it fails, say all and end."""
    done = subprocess.run(
        command, cwd=cwd, env=os.environ | environment, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}")
    return done.stdout


# --- what is downloaded ----------------------------------------------------------------------


def downloaded_wheels() -> list[Path]:
    """Return the wheels that `wheels.txt` names, with their digests as it says."""
    folder = BUILD / "wheels"
    done = folder / "complete.txt"
    if not done.exists() or done.read_text("utf-8") != WHEELS.read_text("utf-8"):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        run(
            sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes",
            f"--python-version={PYTHON}", "--only-binary=:all:", "--disable-pip-version-check",
            f"--dest={folder}", f"--requirement={WHEELS}", cwd=BUILD,
        )  # fmt: skip
        shutil.copy(WHEELS, done)
    return sorted(folder.glob("*.whl"))


def packed_by_npm(package: str, sha256: str, folder: Path = BUILD) -> Path:
    """Return a package, `name@version`, as npm packs it; end if its digest is another one."""
    file = folder / f"{package.replace('@', '-')}.tgz"
    if not file.exists():
        if shutil.which("npm") is None:
            sys.exit(f"This needs {package}, which npm downloads: install npm (Node.js).")
        folder.mkdir(parents=True, exist_ok=True)
        run("npm", "pack", "--silent", package, cwd=folder)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    if digest != sha256:
        sys.exit(f"{file} has the digest {digest}, not {sha256}: delete it, try again.")
    return file


# --- Python for the browser ------------------------------------------------------------------


def python_for_browsers(wheels: list[Path]) -> Path:
    """Return a folder with Pyodide and all wheels, compiled; an older one if nothing changed."""
    inputs = [DOCS / "lite.py", *(DOCS / "lite").rglob("*.*")]
    state = "\n".join(hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(inputs))
    folder, done = BUILD / "python", BUILD / "python.txt"
    if not done.exists() or done.read_text("utf-8") != state:
        shutil.rmtree(folder, ignore_errors=True)
        lay_out(folder, wheels)
        run("node", str(DOCS / "lite" / "compile.mjs"), str(folder), cwd=BUILD)
        write_list(folder)
        done.write_text(state, "utf-8")
    return folder


def lay_out(folder: Path, wheels: list[Path]) -> None:
    """Put Pyodide and all wheels into a folder."""
    folder.mkdir()
    with tarfile.open(packed_by_npm(f"pyodide@{PYODIDE}", PYODIDE_SHA256)) as packed:
        for name in (*CORE, "pyodide-lock.json"):
            member = packed.extractfile(f"package/{name}")
            if member is None:
                sys.exit(f"Pyodide {PYODIDE} has no file {name}.")
            (folder / name).write_bytes(member.read())
    for wheel in wheels:
        if not wheel.name.startswith(KERNEL):
            shutil.copy(wheel, folder)
            continue
        with zipfile.ZipFile(wheel) as kernel:
            for name in kernel.namelist():
                if name.endswith(".whl") and Path(name).name.startswith(KERNELS_OWN):
                    (folder / Path(name).name).write_bytes(kernel.read(name))


def write_list(folder: Path) -> None:
    """Write the list of packages in the place of Pyodide's own."""
    file = folder / "pyodide-lock.json"
    described = {package["name"]: package for package in map(about, sorted(folder.glob("*.whl")))}
    for package in described.values():
        package["depends"] = [name for name in package["depends"] if name in described]
    info = json.loads(file.read_text("utf-8"))["info"]
    file.write_text(json.dumps({"info": info, "packages": described}, indent=1), "utf-8")


def about(wheel: Path) -> dict[str, Any]:
    """Return what Pyodide must know about a wheel."""
    with zipfile.ZipFile(wheel) as opened:
        files = opened.namelist()
        file = next(name for name in files if name.endswith(".dist-info/METADATA"))
        metadata = opened.read(file).decode("utf-8")
    needs = re.findall(r"(?m)^Requires-Dist: ([\w.-]+)(?!.*extra)", metadata)
    tops = {name.partition("/")[0] for name in files if name.endswith(".pyc")}
    name, version = wheel.name.split("-")[:2]
    return {
        "name": normal(name),
        "version": version,
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(top.removesuffix(".pyc") for top in tops if not top.endswith(".data")),
        "depends": sorted(map(normal, needs)),
        "unvendored_tests": False,
    }


def normal(name: str) -> str:
    """Return the normal form of a package's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


# --- settings --------------------------------------------------------------------------------


def write_settings(lite: Path, wheels: list[Path]) -> None:
    """Write what JupyterLite reads: what it shows, and how it is built."""
    listed = json.loads((lite / "static" / "pyodide" / "pyodide-lock.json").read_text("utf-8"))
    settings = json.loads(json.dumps(SETTINGS))
    plugins = settings["jupyter-config-data"]["litePluginSettings"]
    (kernel,) = plugins.values()
    kernel["loadPyodideOptions"] = {"packages": sorted(listed["packages"])}
    (lite / "jupyter-lite.json").write_text(json.dumps(settings, indent=1), "utf-8")
    building = {
        "contents": ["content"],
        "apps": ["lab", "notebooks"],
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
        "ignore_sys_prefix": ["federated_extensions"],
        "federated_extensions": [str(w) for w in wheels if w.name.startswith(EXTENSIONS)],
    }
    text = json.dumps({"LiteBuildConfig": building}, indent=1)
    (lite / "jupyter_lite_config.json").write_text(text, "utf-8")


def add_icon(site: Path) -> None:
    """Give the pages of JupyterLite the icon of the site; they have none, and browsers ask."""
    shutil.copy(DOCS / "_static" / "favicon.svg", site)
    icon = '<link rel="icon" type="image/svg+xml" href="../favicon.svg">'
    for file in site.glob("*/index.html"):
        text = file.read_text("utf-8")
        file.write_text(text.replace("<head>", f"<head>{icon}", 1), "utf-8")


if __name__ == "__main__":
    main()
