"""The course on adversarial search, on the referee's side: games, solvers, checks, diagnosis."""
