"""Keep student code in a process of its own, and talk to it under limits."""
