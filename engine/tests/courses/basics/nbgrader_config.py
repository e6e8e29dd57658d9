"""No settings: a course may have a configuration and nothing in it."""
