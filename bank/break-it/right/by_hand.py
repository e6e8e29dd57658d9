"""All is written down, with other trees than the reference has."""

# %% told
told = {"P": [-3, [7, [-5, 7]]], "Q": " Innocent ", "R": [-1, [[5, [2, -4]], -1]]}

# %% boxes
boxes = {"X": "INNOCENT", "Y": [2, [3, 7]], "Z": [10, [9, 12]]}

# %% which
which = {"X": "Innocent", "Y": "e", "Z": " D"}

# %% apart
apart = [-40, [40, [[-30, -70], 80]], [90, [-60, 60]]]
