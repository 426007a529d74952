"""Tests of what both command lines share."""
