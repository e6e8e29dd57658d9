"""The interfaces of the referee: the command line, nbgrader, Gradescope."""
