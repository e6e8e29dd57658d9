"""Types wherever one can write them: protocols, literals, aliases, generics, casts, overrides."""

# %% +
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from typing import ClassVar, Final, Generic, Literal, Protocol, TypeAlias, TypeVar, cast

Piece: TypeAlias = Literal["X", "O"]
Board: TypeAlias = Mapping[Square, Piece]
S = TypeVar("S")
M = TypeVar("M")


class Searchable(Protocol[S, M]):
    """What a search needs of a game."""

    def actions(self, state: S) -> Iterable[M]: ...

    def result(self, state: S, move: M) -> S: ...

    def utility(self, state: S, player: str) -> float: ...

    def terminal_test(self, state: S) -> bool: ...

    def to_move(self, state: S) -> str: ...

# %% TicTacToe
class TicTacToe(Game):
    """Tic-tac-toe."""

    DIRECTIONS: ClassVar[Final[Sequence[tuple[int, int]]]] = ((0, 1), (1, 0), (1, 1), (1, -1))
    h: Final[int]
    v: Final[int]
    k: Final[int]
    initial: GameState

    def __init__(self, h: int = 3, v: int = 3, k: int = 3) -> None:
        self.h: int = h
        self.v: int = v
        self.k: int = k
        squares: list[Square] = [cast(Square, (r, c)) for r in range(h) for c in range(v)]
        self.initial: GameState = GameState(to_move="X", utility=0, board={}, moves=squares)

    def actions(self, state: GameState) -> list[Square]:
        moves: list[Square] = list(state.moves)
        return moves

    def result(self, state: GameState, move: Square, /) -> GameState:
        if move not in state.moves:
            raise IllegalMove(f"{move=} is not legal")
        player: Piece = cast(Piece, state.to_move)
        board: MutableMapping[Square, Piece] = {**state.board}
        board[move] = player
        moves: list[Square] = [m for m in state.moves if m != move]
        utility: int = self.compute_utility(board, move, player)
        return GameState(to_move=self._other(player), utility=utility, board=board, moves=moves)

    @staticmethod
    def _other(player: Piece) -> Piece:
        return "O" if player == "X" else "X"

    def utility(self, state: GameState, player: Piece) -> float:
        sign: Literal[1, -1] = 1 if player == "X" else -1
        return sign * state.utility

    def terminal_test(self, state: GameState) -> bool:
        return bool(state.utility) or not state.moves

    def display(self, state: GameState) -> None:
        row: int
        for row in range(self.h):
            line: list[str] = [state.board.get((row, column), ".") for column in range(self.v)]
            print(" ".join(line))

    def compute_utility(self, board: Board, move: Square, player: Piece) -> Literal[-1, 0, 1]:
        if any(self.k_in_row(board, move, player, delta) for delta in self.DIRECTIONS):
            return 1 if player == "X" else -1
        return 0

    def k_in_row(
        self, board: Board, move: Square, player: Piece, delta_x_y: tuple[int, int]
    ) -> bool:
        def ray(sign: Literal[1, -1]) -> Iterator[Square]:
            row, column = move
            while board.get((row, column)) == player:
                yield (row, column)
                row, column = row + sign * delta_x_y[0], column + sign * delta_x_y[1]

        return len(set(ray(1)) | set(ray(-1))) >= self.k

# %% MiniMax
class MiniMax(Player, Generic[S, M]):
    """Plain minimax."""

    game: Searchable[S, M] | None

    def __init__(self, game: Searchable[S, M] | None = None) -> None:
        self.game: Searchable[S, M] | None = game

    def __call__(self, game: Searchable[S, M], state: S) -> M:
        self.game = game
        return self.search(state)

    def search(self, state: S) -> M:
        game: Searchable[S, M] = cast("Searchable[S, M]", self.game)
        player: str = game.to_move(state)
        best: tuple[float, M] | None = None
        for move in game.actions(state):
            value: float = self.min_value(game.result(state, move), player)
            if best is None or value > best[0]:
                best = (value, move)
        assert best is not None
        return best[1]

    def max_value(self, state: S, player: str) -> float:
        game: Searchable[S, M] = cast("Searchable[S, M]", self.game)
        if game.terminal_test(state):
            return game.utility(state, player)
        value: float = -infinity
        for move in game.actions(state):
            value = max(value, self.min_value(game.result(state, move), player))
        return value

    def min_value(self, state: S, player: str) -> float:
        game: Searchable[S, M] = cast("Searchable[S, M]", self.game)
        if game.terminal_test(state):
            return game.utility(state, player)
        value: float = infinity
        for move in game.actions(state):
            value = min(value, self.max_value(game.result(state, move), player))
        return value
