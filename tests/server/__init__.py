"""Tests of the lesson server and its command line."""
