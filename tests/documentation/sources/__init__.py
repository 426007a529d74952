"""The documentation sources other than sites and folders."""
