"""dict.fromkeys makes both lists at once.

Cell: evaluation_a
Caught by: test_ten_games
Area: what two names share
Principle: `dict.fromkeys(names, [])` holds the same list twice: each name needs a list of its own.
"""

# %% evaluation_a
terminal_states = dict.fromkeys(["MiniMax", "AlphaBeta"], [])
time_taken = dict.fromkeys(["MiniMax", "AlphaBeta"], [])
rules = TicTacToe()
for name, player in {"MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}.items():
    for opening in OPENINGS:
        began = time.perf_counter()
        utility = rules.play_game(player, player, initial=after(rules, opening))
        time_taken[name].append(time.perf_counter() - began)
        terminal_states[name].append(utility)
