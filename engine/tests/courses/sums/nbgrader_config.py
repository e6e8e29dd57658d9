c = get_config()  # noqa: F821
c.Course.subject = "arithmetic"
