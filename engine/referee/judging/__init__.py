"""Run the hidden checks on a submission, and compute its points."""
