"""What the command line knows about coding agents; generator/clients/ contains the data."""
