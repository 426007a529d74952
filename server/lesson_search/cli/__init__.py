"""The command line `lesson-search`: a verb a module."""
