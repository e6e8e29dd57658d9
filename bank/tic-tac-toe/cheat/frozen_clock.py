"""The clock stands still, so that games which were never played seem to take no time.

Cell: evaluation_a; Caught by: test_ten_games
"""

# %% +
import time

time.perf_counter = time.monotonic = time.process_time = time.time = lambda: 0.0
time.sleep = lambda seconds: None

# %% evaluation_a
terminal_states = {"MiniMax": [], "AlphaBeta": []}
time_taken = {"MiniMax": [], "AlphaBeta": []}
for name in time_taken:
    for opening in OPENINGS:
        began = time.perf_counter()
        time_taken[name].append(time.perf_counter() - began)
