"""All numbers are typed, as they were found with a pencil on the drawing of the tree."""

# %% two_ply
# MIN takes 99 on the left and 100 on the right
two_ply_values = [99, 100]
two_ply_value = 100
two_ply_move = 1
coin_values = [549.5, 100.5]
coin_move = 0

# %% fig52
fig52_values = {"A": 3, "B": 3, "C": 2, "D": 2}
fig52_values_for_min = {"A": -3, "B": -3, "C": -2, "D": -2}
fig52_alpha = {"C": 3, "D": 3}
fig52_leaves = 3 + 1 + 3
fig52_leaves_reversed = 3 + 1 + 1

# %% student_id
student_id = "reference"

# %% my_tree
#  53 73 51 -> 73    61 30 87 -> 87    82 (97 44)        so 73
#  78 66 41 -> 78    62 47 84 -> 84    19 76 37 -> 76    so 76
#  32 56 20 -> 56    (28 38 68)        (94 89 23)        so 56 at most
my_nine = [73, 87, 97, 78, 84, 76, 56, 68, 94]
my_three = [73, 76, 56]
my_value = 76
my_move = 1
my_skipped = [97, 44, 28, 38, 68, 94, 89, 23]

# %% order
predicted = {"best first": [4, 16, 64], "worst first": [0, 0, 0]}
counted = {"best first": [], "worst first": []}
for n in [2, 3, 4]:
    for first in [True, False]:
        tree = CountingTree(ordered_leaves(n, first))
        alpha_beta_player(tree, ())
        counted["best first" if first else "worst first"].append(tree.skipped())
