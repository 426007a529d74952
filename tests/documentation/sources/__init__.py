"""Tests of the documentation sources other than sites and folders."""
