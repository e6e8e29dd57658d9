// Run the student library in the Python of the Lite bundle: node lite_in_node.mjs LITE FOLDER
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { readFileSync } from "node:fs";

const [lite, folder] = process.argv.slice(2);
const home = join(lite, "static", "pyodide");
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")));
const lockFile = join(home, "pyodide-lock.json");
const pyodide = await loadPyodide({ indexURL: home + "/", lockFileURL: lockFile });
const wanted = Object.keys(JSON.parse(readFileSync(lockFile)).packages);
// What only a page can load is left out: the kernel and what puts widgets into it.
const pages = ["piplite", "pyodide-kernel", "ipykernel"];
await pyodide.loadPackage(wanted.filter((name) => !pages.includes(name)), { messageCallback: () => {} });
pyodide.mountNodeFS("/work", folder);
const code = `
import doctest, json, os, sys
os.chdir("/work")
sys.path.insert(0, "/work")
import games
from check import check

assert doctest.testmod(games).failed == 0
from typing import *
from collections.abc import Callable
from games import *
State = Move = Square = Any
solved = json.load(open("solved.json"))
for cell in "TicTacToe", "MiniMax", "AlphaBeta":
    exec(solved[cell])
    check(cell)
from canvas import Canvas_alpha_beta, Canvas_TicTacToe

board = Canvas_TicTacToe("A game", "human", "random", game=TicTacToe(), live=True)
board.play((1, 1))
assert len(board.state.board) == 2
tree = Canvas_alpha_beta("A tree", Fig52Game(), AlphaBeta(), live=True)
tree.go(tree.search.last)
assert "7 of 9 leaves" in tree.status(), tree.status()
print("all is well")
`;
try {
  pyodide.runPython(code);
} catch (error) {
  console.error(error.message); // not the minified source that Node would show
  process.exit(1);
}
