"""Tests of the code that hooks share."""
