"""The commands of `hookwright`, one a module."""
