"""What the two sides may say to each other: messages, values, and numbers of other libraries."""
