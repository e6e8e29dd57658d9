"""Exact values of states, by programs that no student sees; each solves one game."""
