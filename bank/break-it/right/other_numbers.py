"""The trees hold other numbers of mine, and the first tree comes last."""

# %% my_trees
a, _, b, _, _, c, d, _, e, _, _, f = sorted(numbers(student_id))
my_trees = [[f, [e, f], [f, b]], [[b, [a, [f, [c, f]]]], f], [[[d, [[[d, b], e], f]], [e, e]], d]]
