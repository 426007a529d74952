"""The command line `lesson-search`: one module per command."""
