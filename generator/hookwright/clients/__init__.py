"""What the command line knows of coding agents; generator/clients/ has their facts."""
