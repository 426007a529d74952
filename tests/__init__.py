"""Tests of Hookwright: folders mirror the tree, and `support` is what they share."""
