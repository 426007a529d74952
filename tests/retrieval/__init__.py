"""Tests of hookwright_retrieval."""
