"""No board has more than seven columns or rows.

Cell: generate_segments
Caught by: test_other_boards
Weight: mistake
Frequent: no
"""


# %% generate_segments
def generate_segments(columns: int, rows: int, length: int) -> list[list[tuple[int, int]]]:
    """Return all segments of `length` squares on the board, as lists of (column, row)."""
    segments = []
    for right, up in (1, 0), (0, 1), (1, 1), (1, -1):
        for column in range(min(columns, 7)):
            for row in range(min(rows, 7)):
                segment = [(column + i * right, row + i * up) for i in range(length)]
                last_column, last_row = segment[-1]
                if last_column < columns and 0 <= last_row < rows:
                    segments.append(segment)
    return segments
