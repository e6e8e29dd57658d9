"""The segments are made once and kept.

Cell: generate_segments
Caught by: test_other_boards
Weight: mistake
Frequent: no
"""


# %% generate_segments
KEPT = []


def generate_segments(columns: int, rows: int, length: int) -> list[list[tuple[int, int]]]:
    """Return all segments of `length` squares on the board, as lists of (column, row)."""
    if KEPT:
        return KEPT[0]
    segments = []
    KEPT.append(segments)
    for right, up in (1, 0), (0, 1), (1, 1), (1, -1):
        for column in range(columns):
            for row in range(rows):
                segment = [(column + i * right, row + i * up) for i in range(length)]
                last_column, last_row = segment[-1]
                if last_column < columns and 0 <= last_row < rows:
                    segments.append(segment)
    return segments
