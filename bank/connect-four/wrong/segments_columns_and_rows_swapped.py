"""I count the rows with the number of columns.

Cell: generate_segments
Caught by: test_other_boards
Weight: mistake
Frequent: yes
"""

# %% generate_segments
def generate_segments(columns, rows, length):
    segments = []
    for column in range(rows):
        for row in range(columns):
            for right, up in [(1, 0), (0, 1), (1, 1), (1, -1)]:
                last_column, last_row = column + right * (length - 1), row + up * (length - 1)
                if last_column < rows and 0 <= last_row < columns:
                    segments.append([(column + right * i, row + up * i) for i in range(length)])
    return segments
