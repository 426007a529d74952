"""The commands of `hookwright`, one per module."""
