"""Classify lessons into categories."""
