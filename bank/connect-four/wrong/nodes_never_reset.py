"""One counter counts them all.

Cell: nodes
Caught by: test_minimax_counts
Weight: mistake
Frequent: yes
"""

# %% nodes
start = after(ConnectFour(), [2, 0, 1, 3, 2, 2])
nodes = {}


class Counter(ConnectFour):
    def __init__(self):
        super().__init__()
        self.number = 1

    def result(self, state, move):
        self.number += 1
        return super().result(state, move)


plain, pruned = Counter(), Counter()
for depth in range(1, 5):
    minimax(plain, start, depth, top_count)
    alphabeta(pruned, start, depth, top_count)
    nodes[depth] = (plain.number, pruned.number)
nodes[5] = nodes[6] = nodes[4]
