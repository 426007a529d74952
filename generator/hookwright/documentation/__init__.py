"""Make documentation databases known to agents: records, the client's configuration, and a test."""
