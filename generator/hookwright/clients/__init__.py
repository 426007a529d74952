"""The coding agents that hooks are installed in, one a package."""
