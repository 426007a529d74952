"""Serve documentation to coding agents over MCP."""
