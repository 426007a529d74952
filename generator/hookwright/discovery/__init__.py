"""Find what this machine offers for records; write nothing."""
