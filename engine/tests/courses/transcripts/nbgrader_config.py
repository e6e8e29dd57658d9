"""Settings of a course whose checks are edited, and asked again."""

c = get_config()  # noqa: F821 - given by traitlets
c.Course.subject = "nim"
