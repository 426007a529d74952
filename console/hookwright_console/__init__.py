"""Code shared by the command lines hookwright and lesson-search."""
