"""The protocol between referee and player: messages, values, and numbers of other libraries."""
