"""What stands in the way of what the user asked for."""


class RefusedError(Exception):
    """Why something was not done, in one line with the way out; nothing is changed."""
