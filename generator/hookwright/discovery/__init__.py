"""Find what is on this machine that records can be made of; nothing is written."""
