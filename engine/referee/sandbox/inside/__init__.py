"""Code in the student's process: the player, its shell, and the layers of isolation around both.

Only what lies here and in `wire`, and `referee.model`, is copied to where student code can read it.
"""
