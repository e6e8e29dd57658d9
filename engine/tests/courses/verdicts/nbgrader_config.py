"""Settings of a course whose checks end in each verdict."""

c = get_config()  # noqa: F821 - given by traitlets
c.Course.subject = "nim"
