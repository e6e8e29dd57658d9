"""Settings of a course of ordinary Python."""

c = get_config()  # noqa: F821 - given by traitlets
c.Course.packages = ["numpy", "matplotlib", "pandas"]
