"""What is behind a failed check: slips that explain it, symptoms, and the words for them."""
