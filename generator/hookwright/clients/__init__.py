"""Facts about coding agents for the command line; the data is in generator/clients/."""
