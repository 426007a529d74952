"""Find candidates for records on this machine, without changing anything."""
