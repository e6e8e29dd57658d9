"""Numbers of numpy and Fractions where numbers are asked for."""

# %% +
from fractions import Fraction

# %% two_ply
leaves = (99, 1000), (100, 101)

two_ply_values = [min(pair) for pair in leaves]
two_ply_value = max(two_ply_values)
two_ply_move = two_ply_values.index(two_ply_value)

coin_values = [Fraction(sum(pair), len(pair)) for pair in leaves]
coin_move = coin_values.index(max(coin_values))

# %% +
import numpy as np

# %% my_tree
cube = np.array(personal_leaves(student_id)).reshape(3, 3, 3)
rows = cube.max(axis=2)

my_nine = list(rows.ravel())
my_three = list(rows.min(axis=1))
my_value = max(my_three)
my_move = np.argmax(my_three)

skip = np.zeros_like(cube, dtype=bool)
sure = -np.inf
for part in range(3):
    beta = np.inf
    for row in range(3):
        if beta <= sure:
            skip[part, row] = True
            continue
        reached = np.maximum.accumulate(cube[part, row]) >= beta
        skip[part, row, 1:] = reached[:-1]
        beta = min(beta, rows[part, row])
    sure = max(sure, beta)
my_skipped = list(cube[skip])
