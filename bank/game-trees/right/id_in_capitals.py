"""The id is written in capitals and with spaces around it; the leaves skipped come in any order."""

# %% student_id
student_id = "  REFERENCE "

# %% my_tree
my_nine = (89, 88, 73, 77, 79, 93, 98, 20, 85)
my_three = (73, 77, 20)
my_value = max(my_three)
my_move = 1
my_skipped = {22, 44, 49, 63, 85, 93}
my_skipped = tuple(my_skipped)
