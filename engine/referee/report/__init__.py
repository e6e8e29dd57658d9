"""Show a class at a glance, for instructors."""
