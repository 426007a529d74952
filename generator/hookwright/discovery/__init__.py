"""Find candidates for records on this machine; write nothing."""
