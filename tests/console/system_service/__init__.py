"""Tests of hookwright_console/system_service."""
