"""The tables are an OrderedDict and defaultdicts, which are dicts; the clock is another one."""

# %% +
from collections import OrderedDict, defaultdict
from itertools import permutations

# %% playing
results = OrderedDict()
start = after(TicTacToe(), [(0, 0), (1, 1)])

deep = AlphaBeta(d=9)
for opponent_name, opponent in [("random", random_player), ("MiniMax", MiniMax())]:
    for (name, player), (other_name, other) in permutations(
        [(opponent_name, opponent), ("AlphaBeta", deep)]
    ):
        results[name, other_name] = TicTacToe().play_game(player, other, initial=start)

for (first, second), utility in results.items():
    print(f"{first:>9} v {second:<9}  utility for the first: {utility:+}")

# %% evaluation_a
terminal_states = defaultdict(list)
time_taken = defaultdict(list)

for opening in OPENINGS:
    for player in MiniMax(), AlphaBeta(d=9):
        name = type(player).__name__
        started = time.process_time_ns()
        utility = TicTacToe().play_game(player, player, initial=after(TicTacToe(), opening))
        time_taken[name].append((time.process_time_ns() - started + 1) / 1e9)
        terminal_states[name].append(utility)
