"""Build and register indexes of LEANN, a program of its own that the user installs."""
