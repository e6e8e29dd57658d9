"""Upwards there are as many places to begin in as across: I have copied the line.

Cell: generate_segments
Caught by: test_nothing_else
Frequent: no
Weight: slip
"""

# %% generate_segments
def generate_segments(columns, rows, length):
    found = []
    for column in range(columns):
        for row in range(columns - length + 1):
            found.append([(column, row + i) for i in range(length)])
    for column in range(columns - length + 1):
        for row in range(rows):
            found.append([(column + i, row) for i in range(length)])
        for row in range(rows - length + 1):
            found.append([(column + i, row + i) for i in range(length)])
            found.append([(column + i, row + length - 1 - i) for i in range(length)])
    return found
