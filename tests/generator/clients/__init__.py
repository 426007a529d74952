"""Tests of hookwright/clients."""
