"""I have written nothing. Put the mistakes of your students beside this one.

Cell: CELL_NAME
Caught by: test_CELL_NAME
Needed by: USING_CELLS
"""

# %% CELL_NAME
# nothing
