"""Play on boards that you click, and watch a search walk through its tree.

    Canvas_TicTacToe("Can you beat it?", "human", AlphaBeta(9))
    Canvas_ConnectFour("Drop a piece", "human", "random")
    Canvas_min_max("My tree", [3, 12, 8, 2, 4, 6, 14, 5, 2], MiniMax())
    Canvas_alpha_beta("The same with less work", Fig52Game(), AlphaBeta())
    Canvas_search("What does it look at?", TicTacToe(), AlphaBeta(4))

`show(find_best_move, [3, 3, 2])` writes a page with your search, to send to a friend.

Put one on the last line of a cell. Without a kernel a board is its last picture; trees still step.
Here are no rules and no search: games and players are yours, or those of `games`.
"""

from .boards import Canvas_ConnectFour, Canvas_TicTacToe
from .one_page import show
from .stepper import Canvas_alpha_beta, Canvas_min_max, Canvas_search

__all__ = [
    "Canvas_ConnectFour", "Canvas_TicTacToe", "Canvas_alpha_beta", "Canvas_min_max",
    "Canvas_search", "show",
]  # fmt: skip
