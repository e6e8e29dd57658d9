"""A line is a row of squares.

Cell: generate_segments
Caught by: test_upwards
Weight: void
Frequent: no
"""


# %% generate_segments
def generate_segments(columns: int, rows: int, length: int) -> list[list[tuple[int, int]]]:
    """Return all segments of `length` squares on the board, as lists of (column, row)."""
    segments = []
    for right, up in ((1, 0),):
        for column in range(columns):
            for row in range(rows):
                segment = [(column + i * right, row + i * up) for i in range(length)]
                last_column, last_row = segment[-1]
                if last_column < columns and 0 <= last_row < rows:
                    segments.append(segment)
    return segments
