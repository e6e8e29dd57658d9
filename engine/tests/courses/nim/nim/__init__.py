"""The secret side of a course on Nim: the rules, and a record of what is asked."""
