"""The verbs of `hookwright`, one a module."""
