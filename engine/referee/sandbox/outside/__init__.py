"""What asks the student's process from the referee's side, and decides what its answers mean."""
