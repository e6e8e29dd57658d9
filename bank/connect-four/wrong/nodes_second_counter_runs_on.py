"""The counter of alphabeta is set to zero once, at the beginning.

Cell: nodes
Caught by: test_alphabeta_counts
Weight: slip
Frequent: no
"""


# %% nodes
start = after(ConnectFour(), [2, 0, 1, 3, 2, 2])
nodes: dict[int, tuple[int, int]] = {}
class CountedConnectFour(ConnectFour):
    """Connect Four that counts the states that are generated."""

    generated = 0

    def result(self, state: GameState, move: int) -> GameState:
        self.generated += 1
        return super().result(state, move)


def count(search: Callable[..., Any], depth: int) -> int:
    """Return how many states a search looks at, the first one included."""
    game = CountedConnectFour()
    search(game, start, depth, top_count)
    return 1 + game.generated


so_far = 0
for depth in range(1, 7):
    so_far += count(alphabeta, depth)
    nodes[depth] = count(minimax, depth), so_far

for depth, (plain, pruned) in nodes.items():
    print(f"depth {depth}: minimax {plain:7,}, alphabeta {pruned:6,}, {pruned / plain:6.1%}")
