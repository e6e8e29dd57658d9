"""The id is written in capitals and with spaces around it."""

# %% student_id
student_id = "  REFERENCE "
