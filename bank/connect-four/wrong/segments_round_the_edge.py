"""A line that leaves the board on the right goes on at the left.

Cell: generate_segments
Caught by: test_nothing_else
Weight: mistake
Frequent: no
"""

# %% generate_segments
def generate_segments(columns, rows, length):
    segments = []
    for column in range(columns):
        for row in range(rows):
            for right, up in [(1, 0), (0, 1), (1, 1), (1, -1)]:
                last_column, last_row = column + right * (length - 1), row + up * (length - 1)
                if 0 <= last_row < rows:
                    segments.append([((column + right * i) % columns, row + up * i) for i in range(length)])
    return segments
