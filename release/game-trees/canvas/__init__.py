"""Play on boards that you click, and watch a search walk through its tree.

    Canvas_TicTacToe("Can you beat it?", "human", AlphaBeta(9))
    Canvas_ConnectFour("Drop a piece", "human", "random")
    Canvas_min_max("My tree", [3, 12, 8, 2, 4, 6, 14, 5, 2], MiniMax())
    Canvas_alpha_beta("The same with less work", Fig52Game(), AlphaBeta())
    Canvas_search("What does it look at?", TicTacToe(), AlphaBeta(4))

Put one on the last line of a cell. Without a kernel a board is its last picture; trees still step.
Here are no rules and no search: games and players are yours, or those of `games`. Boards are in
assignments that play on one.
"""

from importlib.util import find_spec

from .stepper import Canvas_alpha_beta, Canvas_min_max, Canvas_search

__all__ = ["Canvas_alpha_beta", "Canvas_min_max", "Canvas_search"]

if find_spec(".boards", __name__):
    from .boards import Canvas_ConnectFour, Canvas_TicTacToe

    __all__ += ["Canvas_ConnectFour", "Canvas_TicTacToe"]
