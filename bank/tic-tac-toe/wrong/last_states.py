"""terminal_states holds the terminal states.

Cell: evaluation_a
Caught by: test_ten_games
Area: the values of `terminal_states`
Principle: What is asked for is the utility of each game, a number.
"""

# %% evaluation_a
terminal_states = {"MiniMax": [], "AlphaBeta": []}
time_taken = {"MiniMax": [], "AlphaBeta": []}
rules = TicTacToe()
for name, player in {"MiniMax": MiniMax(), "AlphaBeta": AlphaBeta(d=9)}.items():
    for opening in OPENINGS:
        began = time.perf_counter()
        state = after(rules, opening)
        while not rules.terminal_test(state):
            state = rules.result(state, player(rules, state))
        time_taken[name].append(time.perf_counter() - began)
        terminal_states[name].append(state)
