"""Errors shown to the user."""


class RefusedError(Exception):
    """Why something was not done, in one line with the way out; nothing is changed."""
