"""Misconceptions behind a failed check: slips that explain it, symptoms, and their texts."""
