"""Run the hidden checks on a submission, and decide what they are worth."""
