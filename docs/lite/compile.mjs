// Compile all Python in a folder of Pyodide with that Pyodide: node compile.mjs FOLDER
// Without this each start in a browser compiles the library anew, two thirds of the start's time.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: folder + "/" });
pyodide.mountNodeFS("/folder", folder);
pyodide.runPython(`
import io
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash
from pathlib import Path

for path in [*Path("/folder").glob("*.whl"), Path("/folder/python_stdlib.zip")]:
    compiled = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(compiled, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith(".py"):
                code = compile(data, name, "exec", dont_inherit=True)
                data, name = _code_to_hash_pyc(code, source_hash(data), False), name + "c"
            new.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    path.write_bytes(compiled.getvalue())
`);
