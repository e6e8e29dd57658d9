"""A course whose one assignment is a class."""

c = get_config()  # noqa: F821 - given by traitlets
