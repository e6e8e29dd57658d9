"""The nodes of the tree are objects, made one after the other as they are looked at."""

# %% +
from dataclasses import dataclass


@dataclass
class Node:
    game: Game
    state: State
    me: str

    @property
    def worth(self):
        return self.game.utility(self.state, self.me)

    @property
    def over(self):
        return self.game.terminal_test(self.state)

    def __iter__(self):
        for move in self.game.actions(self.state):
            yield move, Node(self.game, self.game.result(self.state, move), self.me)

# %% minmax_decision
def best(node):
    return node.worth if node.over else max(worst(child) for _, child in node)


def worst(node):
    return node.worth if node.over else min(best(child) for _, child in node)


def minmax_decision(state, game):
    values = {move: worst(child) for move, child in Node(game, state, game.to_move(state))}
    return max(values, key=lambda move: values[move])

# %% order
predicted = {"best first": [], "worst first": []}
counted = {"best first": [], "worst first": []}
for plies in range(2, 5):
    looked_at = 3 ** -(-plies // 2) + 3 ** (plies // 2) - 1
    predicted["best first"].append(3**plies - looked_at)
    predicted["worst first"].append(0)
for best_first in (True, False):
    for plies in range(2, 5):
        tree = CountingTree(ordered_leaves(plies, best_first))
        alpha_beta_search((), tree)
        counted["best first" if best_first else "worst first"] += [tree.skipped()]
