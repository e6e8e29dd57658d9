"""What is the mirror image of a reply that was looked at has the same value, so I leave it out.

Cell: MiniMax
Caught by: test_whole_tree
Frequent: no
Weight: mistake
"""


# %% +
def images(board):
    """The board as it is and turned and mirrored, on three rows and columns."""
    pictures = [board]
    for _ in range(3):
        pictures.append({(c, 2 - r): p for (r, c), p in pictures[-1].items()})
    pictures += [{(c, r): p for (r, c), p in picture.items()} for picture in pictures]
    return {frozenset(picture.items()) for picture in pictures}


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def replies(self, state):
        """The moves, one of those that lead to mirror images of each other."""
        seen = []
        for move in self.game.actions(state):
            if isinstance(state, GameState):
                board = {**state.board, move: state.to_move}
                if frozenset(board.items()) in seen:
                    continue
                seen += images(board)
            yield move

    def search(self, state):
        player = self.game.to_move(state)
        best, best_move = -infinity, None
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player)
            if best_move is None or value > best:
                best, best_move = value, move
        return best_move

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return max(
            self.min_value(self.game.result(state, move), player)
            for move in self.game.actions(state)
        )

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return min(
            self.max_value(self.game.result(state, move), player) for move in self.replies(state)
        )
