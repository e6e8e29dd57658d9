"""Let people and other programs in: the command line, nbgrader, Gradescope."""
