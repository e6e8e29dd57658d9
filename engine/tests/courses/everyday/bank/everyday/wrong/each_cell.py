"""Each cell has a mistake."""

# %% Vec
class Vec:
    def __init__(self, x, y): self.x, self.y = x, y
    def __eq__(self, other): return self.x == other.x
    def __str__(self): return "Vec"
# %% greet
def greet():
    print("Hello, you!")
# %% Countdown
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return iter(range(self.n))
# %% Timer
class Timer:
    seconds = 0
    def __enter__(self): return self
    def __exit__(self, *_): return True
# %% sort_by
def sort_by(things, key):
    things = sorted(things, key=key)
# %% primes
def primes():
    n = 2
    while True:
        if n == 2 or n % 2: yield n
        n += 1
# %% changed
def changed(text): return text.lower()
def tomorrow(day): return day
def tenths(part): return part
# %% Loud
class TooLoud(Exception): pass
class Plain: pass
class Loud:
    def say(self, text): raise TooLoud("loud")
# %% blur
def blur(image):
    return image / 9
# %% plot
import matplotlib.pyplot as plt
def plot(x, y):
    plt.plot(y, x)
    plt.title("Squares")
# %% curve
curve = plt.plot([9, 4, 1], [0, 1, 2])
# %% by_town
def by_town(table): return table.groupby("town")["price"].sum()
