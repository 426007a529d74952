"""The Hookwright command line: create, change, try and check coding agents' hooks."""

__version__ = "0.1.0"
