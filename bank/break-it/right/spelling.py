"""Letters are small, and there are spaces around words."""

# %% told
# the reference solution
told = {name: " Innocent " if tree == "innocent" else tree for name, tree in told.items()}

# %% boxes
# the reference solution
boxes = {name: "INNOCENT" if tree == "innocent" else tree for name, tree in boxes.items()}

# %% which
# the reference solution
which = {name: f" {slip.lower()}" for name, slip in which.items()}
