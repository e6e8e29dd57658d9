"""From each square I go in all eight directions.

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
            for right in (-1, 0, 1):
                for up in (-1, 0, 1):
                    if right == up == 0:
                        continue
                    segment = [(column + right * i, row + up * i) for i in range(length)]
                    if all(0 <= c < columns and 0 <= r < rows for c, r in segment):
                        segments.append(segment)
    return segments
