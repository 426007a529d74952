"""The command line's knowledge of coding agents; generator/clients/ has the facts."""
