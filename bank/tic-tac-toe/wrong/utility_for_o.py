"""After the opening it is the other player who answers, so I ask for the utility of O.

Cell: evaluation_a
Caught by: test_perfect_play
Area: whose utility it is
Principle: Each entry is the utility for the player who moves first in the game, X.
"""

# %% evaluation_a
terminal_states = {"MiniMax": [], "AlphaBeta": []}
time_taken = {"MiniMax": [], "AlphaBeta": []}
rules = TicTacToe()
for name, player in {"MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}.items():
    for opening in OPENINGS:
        began = time.perf_counter()
        utility = rules.play_game(player, player, initial=after(rules, opening))
        time_taken[name].append(time.perf_counter() - began)
        terminal_states[name].append(-utility)
