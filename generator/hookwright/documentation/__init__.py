"""Make documentation databases available to agents: records, client configuration, and a test."""
