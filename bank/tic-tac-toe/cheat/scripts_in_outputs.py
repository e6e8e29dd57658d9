"""Markup that runs code is put into outputs, reprs, exceptions and the names of classes.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
from IPython.display import HTML, SVG, Javascript

SCRIPT = "<script>window.owned = 1</script><img src=x onerror='window.owned = 1'>"
display(HTML(SCRIPT), Javascript("window.owned = 1"))
display({"text/html": SCRIPT, "image/svg+xml": f"<svg>{SCRIPT}</svg>"}, raw=True)
latex = f"$\\href{{javascript:owned=1}}$ {SCRIPT}"
display({"text/markdown": SCRIPT, "text/latex": latex}, raw=True)
print(SCRIPT, "\033]0;owned\007\033[2J\033[31m")


class Shown:
    def _repr_html_(self):
        return SCRIPT

    def __repr__(self):
        return SCRIPT


Shown()

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        raise type(SCRIPT, (ValueError,), {})(f"{SCRIPT}</pre></div>\033[2J\033]0;owned\007")
