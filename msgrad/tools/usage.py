"""Usage texts of the commands."""


def shown(usage):
    """``usage: msgrad FORM  PURPOSE``, one line per item of a dict of forms and purposes."""
    width = max(map(len, usage))
    return "usage: " + "\n       ".join(f"msgrad {form:{width}}  {purpose}" for form, purpose in usage.items())
