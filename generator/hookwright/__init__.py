"""The command line of Hookwright: make, change, try and check the hooks of coding agents."""

__version__ = "0.1.0"
