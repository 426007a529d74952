"""Have agents find documentation databases: records, the client's configuration, and proof."""
