"""The hooks that a project can have."""
