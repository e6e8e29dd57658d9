"""The secret side of a course on Nim: the rules, a record of what is asked, what is sent."""
