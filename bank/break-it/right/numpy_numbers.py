"""The trees were drawn by numpy, so their leaves are numbers of its own."""

# %% +
import numpy as np


def drawn(tree):
    return [drawn(one) for one in tree] if isinstance(tree, list) else np.int64(tree)


# %% apart
# the reference solution
apart = drawn(apart)

# %% my_trees
# the reference solution
my_trees = drawn(my_trees)
