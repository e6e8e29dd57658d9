"""The board has 7 columns and 6 rows.

Cell: generate_segments
Caught by: test_other_boards
Weight: mistake
Frequent: yes
"""

# %% generate_segments
def generate_segments(columns, rows, length):
    segments = []
    for column in range(7):
        for row in range(6):
            for right, up in [(1, 0), (0, 1), (1, 1), (1, -1)]:
                last_column, last_row = column + right * (length - 1), row + up * (length - 1)
                if last_column < 7 and 0 <= last_row < 6:
                    segments.append([(column + right * i, row + up * i) for i in range(length)])
    return segments
