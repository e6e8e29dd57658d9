"""Ask students about their own code: five questions with answers from running it."""
