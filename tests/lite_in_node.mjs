// Run cells in the Python of the Lite bundle, without a browser: node lite_in_node.mjs LITE FOLDER
// FOLDER is a student's, with cells.json, a list of sources. The first error ends it with status 1.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [lite, folder] = process.argv.slice(2);
const home = join(lite, "static", "pyodide");
const lockFile = join(home, "pyodide-lock.json");
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: home + "/", lockFileURL: lockFile });
const names = Object.keys(JSON.parse(readFileSync(lockFile)).packages);
// What only a page can load is left out: the kernel.
const pages = ["piplite", "pyodide-kernel", "ipykernel"];
await pyodide.loadPackage(names.filter((name) => !pages.includes(name)), { messageCallback: () => {} });
pyodide.mountNodeFS("/work", folder);
try {
  pyodide.runPython(`
import json, os, sys
os.chdir("/work")
sys.path.insert(0, "/work")
cells = {"__name__": "__main__", "display": print}
for number, source in enumerate(json.load(open("cells.json"))):
    exec(compile(source, f"cell {number}", "exec"), cells)
print("all is well")
`);
} catch (error) {
  console.error(error.message); // not the minified source that Node would show
  process.exit(1);
}
