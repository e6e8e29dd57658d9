"""The counter is set to zero for each depth, and runs on from minimax to alphabeta.

Cell: nodes
Caught by: test_alphabeta_counts
Weight: slip
Frequent: yes
"""

# %% nodes
start = after(ConnectFour(), [2, 0, 1, 3, 2, 2])
nodes: dict[int, tuple[int, int]] = {}


class CountedFour(ConnectFour):
    results = 0

    def result(self, state: GameState, move: int) -> GameState:
        self.results += 1
        return super().result(state, move)


for depth in range(1, 7):
    counted = CountedFour()
    minimax(counted, start, depth, top_count)
    by_minimax = counted.results + 1
    alphabeta(counted, start, depth, top_count)
    nodes[depth] = by_minimax, counted.results + 1
