"""I look whether a line runs out on the right or at the top.

Cell: generate_segments
Caught by: test_nothing_else
Weight: slip
Frequent: yes
"""

# %% generate_segments
def generate_segments(columns, rows, length):
    segments = []
    for column in range(columns):
        for row in range(rows):
            for right, up in [(1, 0), (0, 1), (1, 1), (1, -1)]:
                last_column, last_row = column + right * (length - 1), row + up * (length - 1)
                if last_column < columns and last_row < rows:
                    segments.append([(column + right * i, row + up * i) for i in range(length)])
    return segments
