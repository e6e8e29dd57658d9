"""I look at the clock once at the beginning, and after each game.

Cell: evaluation_a
Caught by: test_times
Area: taking the time
Principle: Look at the clock before each game: otherwise a time includes all games before.
"""

# %% evaluation_a
terminal_states = {"MiniMax": [], "AlphaBeta": []}
time_taken = {"MiniMax": [], "AlphaBeta": []}
rules = TicTacToe()
for name, player in {"MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}.items():
    began = time.perf_counter()
    for opening in OPENINGS:
        utility = rules.play_game(player, player, initial=after(rules, opening))
        time_taken[name].append(time.perf_counter() - began)
        terminal_states[name].append(utility)
