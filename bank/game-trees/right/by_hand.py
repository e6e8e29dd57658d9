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
#  38 89 62 -> 89    39 25 88 -> 88    47 73 31 -> 73    so 73
#  37 55 77 -> 77    79 (44 22)        30 84 (93)        so 77
#  29 98 67 -> 98    20 13 10 -> 20    (63 49 85)        so 20
my_nine = [89, 88, 73, 77, 79, 93, 98, 20, 85]
my_three = [73, 77, 20]
my_value = 77
my_move = 1
my_skipped = [44, 22, 93, 63, 49, 85]

# %% order
predicted = {"best first": [4, 16, 64], "worst first": [0, 0, 0]}
counted = {"best first": [], "worst first": []}
for n in [2, 3, 4]:
    for first in [True, False]:
        tree = CountingTree(ordered_leaves(n, first))
        alpha_beta_player(tree, ())
        counted["best first" if first else "worst first"].append(tree.skipped())
