"""A course of ordinary Python: the cells of a first course and of a data course.

In its folder lie hidden checks as an author writes them who thinks of local objects, the reference
solution, another right style of each cell and wrong ones. Made here are cheats that lie with what
they return.
"""

from pathlib import Path

from referee.proof import bank

COURSE = Path(__file__).parents[1] / "courses" / "everyday"
BANK = COURSE / "bank" / "everyday"

# Cells that take long have a notebook of their own.
GROUPS = {"plot": "figures", "curve": "figures", "by_town": "tables"}
ASSIGNMENTS = ("everyday", "figures", "tables")
KINDS = {
    "root": "float", "fib": "int", "counts": "dict", "vowels": "set", "mean": "int",
    "blur": "list",
    "lookup": "int", "by_town": "dict", "greet": "str", "report": "str", "plot": "list",
}  # fmt: skip
NAMES = {
    "changed": ["tomorrow", "tenths"], "counts": ["longest"], "Loud": ["Plain", "TooLoud"],
    "Stack": ["EmptyStack"], "by_town": ["with_share"],
}  # fmt: skip


def cells(name: str) -> dict[str, str]:
    """Return the cells of a solution, as `right/plain`."""
    return dict(bank.read(BANK / f"{name}.py", BANK)[0].sections)


def liar(kind: str) -> dict[str, str]:
    """Return cells whose names all stand for an object that agrees, and says it is a `kind`."""
    text = (BANK / "cheat" / "liar.py").read_text("utf-8").replace("KIND = int", f"KIND = {kind}")
    lying = {}
    for cell in RIGHT["plain"]:
        names = [cell, *NAMES.get(cell, [])]
        made = [f"{name} = Liar()" for name in names]
        if cell[0].isupper():
            made = [f"class {name}(Liar, metaclass=Lying): pass" for name in names]
        lying[cell] = "\n".join([text, *made])
    return lying


def subclasses() -> dict[str, str]:
    """Return cells whose functions answer with a subclass of the right type that agrees."""
    text = (BANK / "cheat" / "echo.py").read_text("utf-8")
    lying = {}
    for cell in RIGHT["plain"]:
        kind = KINDS.get(cell, "list")
        made = [
            f"class {name}(right({kind})):\n    def __init__(self, *_): pass"
            if cell[0].isupper()
            else f"def {name}(*_): return right({kind})()"
            for name in (cell, *NAMES.get(cell, []))
        ]
        lying[cell] = "\n".join([text, *made])
    return lying


RIGHT = {style: cells(f"right/{style}") for style in ("plain", "subclasses")}
MISTAKEN = {"wrong": cells("wrong/each_cell")}
CHEATS = {"agrees": liar("int"), "says_list": liar("list"), "subclasses_lie": subclasses()}
