"""Lines go right, up, or up and right.

Cell: generate_segments
Caught by: test_falling
Weight: slip
Frequent: yes
"""

# %% generate_segments
def generate_segments(columns, rows, length):
    segments = []
    for column in range(columns):
        for row in range(rows):
            for right, up in [(1, 0), (0, 1), (1, 1)]:
                last_column, last_row = column + right * (length - 1), row + up * (length - 1)
                if last_column < columns and 0 <= last_row < rows:
                    segments.append([(column + right * i, row + up * i) for i in range(length)])
    return segments
