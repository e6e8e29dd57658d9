"""Both searches build a tree of nodes, which are dataclasses, and AlphaBeta is one itself."""

# %% +
from dataclasses import dataclass, field


@dataclass(order=True)
class Node:
    """A state in the tree, with what is known about it."""

    value: float
    state: State = field(compare=False)
    move: Move = field(compare=False, default=None)
    depth: int = field(compare=False, default=0)


@dataclass
class Window:
    alpha: float = -infinity
    beta: float = infinity

    @property
    def empty(self):
        return self.alpha >= self.beta

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def expand(self, state):
        for move in self.game.actions(state):
            yield Node(0, self.game.result(state, move), move)

    def search(self, state):
        player = self.game.to_move(state)
        nodes = []
        for node in self.expand(state):
            node.value = self.min_value(node.state, player)
            nodes.append(node)
        return max(nodes).move

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return max(self.min_value(node.state, player) for node in self.expand(state))

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return min(self.max_value(node.state, player) for node in self.expand(state))

# %% AlphaBeta
@dataclass
class AlphaBeta(Player):
    """A player that is a dataclass itself."""

    d: int = 4
    game: Game | None = None
    cutoff_test: Callable | None = None
    eval_fn: Callable | None = None

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def stops(self, node):
        if self.cutoff_test is None:
            return node.depth >= self.d
        return self.cutoff_test(node.state, node.depth)

    def estimate(self, node):
        return 0 if self.eval_fn is None else self.eval_fn(node.state)

    def rate(self, node, player, window, mine):
        if self.game.terminal_test(node.state):
            node.value = self.game.utility(node.state, player)
            return node
        if self.stops(node):
            node.value = self.estimate(node)
            return node
        node.value = -infinity if mine else infinity
        window = Window(window.alpha, window.beta)
        for move in self.game.actions(node.state):
            child = Node(0, self.game.result(node.state, move), move, node.depth + 1)
            self.rate(child, player, window, not mine)
            if mine:
                node.value = max(node, child).value
                window.alpha = max(window.alpha, node.value)
            else:
                node.value = min(node, child).value
                window.beta = min(window.beta, node.value)
            if window.empty:
                break
        return node

    def search(self, state):
        player, window, best = self.game.to_move(state), Window(), None
        for move in self.game.actions(state):
            node = Node(0, self.game.result(state, move), move, 1)
            self.rate(node, player, window, mine=False)
            if best is None or node > best:
                best = node
                window.alpha = node.value
        return best.move

    def max_value(self, state, player, alpha, beta, depth):
        return self.rate(Node(0, state, None, depth), player, Window(alpha, beta), True).value

    def min_value(self, state, player, alpha, beta, depth):
        return self.rate(Node(0, state, None, depth), player, Window(alpha, beta), False).value
