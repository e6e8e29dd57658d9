"""The trees are others that do as well: the last of the smallest, with larger leaves."""

# %% boxes
boxes = {
    name: next((t for t in [*small_trees(3)][::-1] if box.gives_away(t)), "innocent")
    for name, box in black_boxes(student_id).items()
}

# %% apart
# the reference solution
def larger(tree):
    return [larger(one) for one in tree] if isinstance(tree, list) else 7 * tree


apart = larger(apart)
