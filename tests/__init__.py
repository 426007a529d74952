"""Tests of Hookwright: the folders mirror the source tree, and `support` contains shared code."""
