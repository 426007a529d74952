"""Tests of the code of each hook."""
