"""Tests of the command line `hookwright`, room by room."""
