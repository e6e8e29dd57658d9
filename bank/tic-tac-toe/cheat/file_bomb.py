"""300 MB are written into the working folder, and two thousand files beside them.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% +
import os

with open("large", "wb") as file:
    for _ in range(300):
        file.write(bytes(1 << 20))

# %% +
for number in range(2000):
    open(f"small-{number}", "wb").close()
os.makedirs("deep/" * 200)
opened = [open("small-1") for _ in range(5000)]

# %% MiniMax blank
