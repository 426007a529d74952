"""Code shared by the hookwright and lesson-search command lines."""
