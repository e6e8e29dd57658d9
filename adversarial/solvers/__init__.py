"""What states are worth, by programs that no student sees; each knows one game only."""
