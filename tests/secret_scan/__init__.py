"""Tests of hookwright_secret_scan."""
