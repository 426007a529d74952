"""What is on this machine already that records can be made of; nothing here writes."""
