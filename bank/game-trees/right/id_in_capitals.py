"""The id is written in capitals and with spaces around it; the leaves skipped come in any order."""

# %% student_id
student_id = "  REFERENCE "

# %% my_tree
my_nine = (73, 87, 97, 78, 84, 76, 56, 68, 94)
my_three = (73, 76, 56)
my_value = max(my_three)
my_move = 1
my_skipped = {23, 28, 38, 44, 68, 89, 94, 97}
my_skipped = tuple(my_skipped)
