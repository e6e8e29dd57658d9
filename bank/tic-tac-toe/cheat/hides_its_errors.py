"""What IPython does with an exception is replaced, so that a failed cell looks like a good one.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import sys

shell = get_ipython()
shell.set_custom_exc((BaseException,), lambda *_, **__: None)
shell.showtraceback = shell.showsyntaxerror = shell._showtraceback = lambda *_, **__: None
type(shell).showtraceback = type(shell)._showtraceback = lambda *_, **__: None
sys.excepthook = sys.unraisablehook = lambda *_: None

# %% MiniMax blank
