"""The referee's side of the sandbox: starts the student's process, asks it, limits it."""
