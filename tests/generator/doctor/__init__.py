"""Tests of hookwright/doctor."""
