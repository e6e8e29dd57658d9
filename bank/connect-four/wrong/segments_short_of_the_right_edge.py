"""Across, a line ends one square before the last column.

Cell: generate_segments
Caught by: test_across
Weight: slip
Frequent: no
"""


# %% generate_segments
def generate_segments(columns: int, rows: int, length: int) -> list[list[tuple[int, int]]]:
    """Return all segments of `length` squares on the board, as lists of (column, row)."""
    segments = []
    for right, up in (1, 0), (0, 1), (1, 1), (1, -1):
        for column in range(columns):
            for row in range(rows):
                segment = [(column + i * right, row + i * up) for i in range(length)]
                last_column, last_row = segment[-1]
                if last_column + (up == 0) < columns and 0 <= last_row < rows:
                    segments.append(segment)
    return segments
