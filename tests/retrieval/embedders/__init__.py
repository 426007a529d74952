"""Tests of hookwright_retrieval/embedders."""
