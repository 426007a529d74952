"""The command line of Hookwright: make, change, try and check the hooks of coding agents."""
