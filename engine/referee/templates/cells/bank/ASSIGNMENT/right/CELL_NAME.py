"""The reference solution; put one in another style here, which must get all points, too."""

# %% CELL_NAME
CELL_SOURCE
